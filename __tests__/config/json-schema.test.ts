import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { Ajv, type ErrorObject } from "ajv";
import { parse } from "jsonc-parser";
import { createJsonSchema, createOverlaySchema } from "../../src/config/json-schema.ts";
import { keysWithoutEffect } from "../../src/config/ocelot/keys-without-effect.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { allSections } from "../../src/config/sections.ts";
import { refusalOf, route, service } from "./configurations.ts";

type Section = Readonly<{
  properties: Record<string, { description: string; default?: unknown }>;
  patternProperties: Record<string, { deprecated?: boolean; description?: string }>;
}>;

const root = new URL("../../", import.meta.url);
const schema = createJsonSchema() as Section & { definitions: Record<string, Section> };
const validate = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true }).compile(
  schema,
);
const sections = allSections.map(({ name }) => name);

function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

function sectionOf(name: string): Section {
  return name === "root" ? schema : schema.definitions[name]!;
}

/** What the independent validator finds, as `where keyword`. */
function faultsOf(input: unknown): string[] {
  // Undefined members are none.
  validate(JSON.parse(JSON.stringify(input)));
  return (validate.errors ?? []).map(({ instancePath, keyword }: ErrorObject) => `${instancePath} ${keyword}`);
}

test("schema.json is what the source says; npm run build:schema writes it", () => {
  expect(JSON.parse(read("schema.json"))).toEqual(schema);
});

describe("The JSON Schema of", () => {
  test.each(allSections)("$name offers each key that is read, and explains it", ({ name, keys }) => {
    const { properties } = sectionOf(name);

    const own = Object.keys(keys);
    const others = name === "root" ? ["$schema", ...own] : [...new Set([...own, "Extensions"])];
    expect(Object.keys(properties)).toEqual(others);
    expect(Object.values(properties).filter(({ description }) => description.length < 5)).toEqual([]);
  });

  test.each(sections)("%s knows Ocelot's other keys as deprecated, and says what to do instead", (name) => {
    const deprecated = Object.entries(sectionOf(name).patternProperties).filter(([, { deprecated }]) => deprecated);

    expect(deprecated.map(([pattern, { description }]) => [pattern, description])).toEqual(
      keysWithoutEffect(name).map((key) => [`^${key.name}$`, key.remark]),
    );
  });
});

test("Defaults are values where they are always the same", () => {
  const defaults = sections.flatMap((name) =>
    Object.entries(sectionOf(name).properties)
      .filter(([, property]) => "default" in property)
      .map(([key, property]) => [`${name}.${key}`, property.default]),
  );

  expect(Object.fromEntries(defaults)).toEqual({
    "aggregate.MaxCalls": 100,
    "aggregate.OnFailure": "Fail",
    "aggregate.RouteIsCaseSensitive": false,
    "global.TimeoutStatus": 504,
    "retry.Budget": 0.2,
    "retry.Count": 1,
    "scheme.ClockTolerance": 60,
    "scheme.Forward": true,
    "scheme.From": "Header",
    "scheme.Header": "X-Api-Key",
    "scheme.KeysMaxAge": 86_400,
    "scheme.SocketsOutliveToken": false,
    "swaggerConfig.Version": "v1",
    "swaggerEndpoint.RemoveUnusedComponentsFromScheme": true,
    "swaggerEndpoint.TakeServersFromDownstreamService": false,
    "swaggerEndpoint.TransformByOcelotConfig": true,
    "swaggerEndpoint.VersionPlaceholder": "{version}",
    "route.RouteIsCaseSensitive": false,
    "dynamicRoute.DangerousAcceptAnyServerCertificateValidator": false,
    "route.DangerousAcceptAnyServerCertificateValidator": false,
    "loadBalancer.Type": "NoLoadBalancer",
    "redis.Prefix": "waymark",
    "host.Weight": 1,
    "healthCheck.Interval": 10,
    "healthCheck.Timeout": 2,
    "healthCheck.Healthy": 2,
    "healthCheck.Unhealthy": 3,
    "limits.Url": 8192,
    "limits.Connect": 5,
    "limits.Upload": 60,
    "global.DownstreamHttpVersionPolicy": "RequestVersionOrLower",
    "global.Timeout": 90,
    "provider.Type": "Consul",
    "provider.PollingInterval": 5000,
    "provider.UseNodeName": false,
    "provider.AllowAnyService": false,
    "provider.MaxStale": 600,
    "provider.AllowServiceNameParameter": false,
    "options.NumberStyle": "Any",
    "options.Separators": [","],
    "options.StringSplitOption": "None",
    "options.TrimChars": [" "],
  });
});

test("Each default is valid for its own key, and means itself where it is written", () => {
  const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true });
  const told = allSections.flatMap(({ name, keys }) =>
    Object.entries(keys).flatMap(([key, facts]) => {
      const property = sectionOf(name).properties[key]!;
      if (!("default" in property)) return [];
      const { default: standard } = property;
      const written = Array.isArray(standard) ? standard : String(standard);
      const isRead = "schema" in facts && facts.schema.safeParse(written).success;
      return [{ key: `${name}.${key}`, isValid: ajv.validate(property, standard), isRead }];
    }),
  );

  expect(told.length).toBeGreaterThan(30);
  expect(told.filter(({ isValid, isRead }) => !isValid || !isRead)).toEqual([]);
});

describe("An independent validator accepts", () => {
  const files = [
    "__tests__/fixtures/config/from-2018.json",
    "__tests__/fixtures/config/sample-basic.json",
    "__tests__/fixtures/config/sample-metadata.json",
    "__tests__/fixtures/config/sample-service-fabric.json",
    "__tests__/fixtures/config/written-by-a-tool.json",
    "example-app/gateway.json",
  ];

  test.each(files)("%s", (file) => {
    expect(faultsOf(parse(read(file), [], { allowTrailingComma: true }))).toEqual([]);
  });

  test("every configuration that was recorded from Ocelot", () => {
    const vectors = JSON.parse(read("__tests__/fixtures/vectors/routing.json")) as { cases: { config: object }[] };

    expect(vectors.cases.length).toBeGreaterThan(100);
    expect(vectors.cases.filter(({ config }) => faultsOf(config).length > 0)).toEqual([]);
  });

  const kindRows: readonly Readonly<{ reason: string; input: object }>[] = [
    { reason: "numbers in quotes", input: one({ Priority: "2", Timeout: " 1.5 ", Limits: { Body: "1e3" } }) },
    { reason: "booleans in quotes", input: one({ RouteIsCaseSensitive: "True", AllowUpgrade: " false" }) },
    { reason: "words in any case, with blanks", input: one({ DownstreamScheme: " HTTPS " }) },
    { reason: "a method as a text", input: one({ UpstreamHttpMethod: "Get" }) },
    { reason: "methods in any case", input: one({ UpstreamHttpMethod: ["Get", " m-search"] }) },
    { reason: "what counts as absent", input: one({ Timeout: 0, Key: null, DownstreamScheme: "", Tls: null }) },
    { reason: "an enumeration of .NET as a number", input: options({ NumberStyle: 511, StringSplitOption: "3" }) },
    { reason: "an enumeration of .NET as a list", input: options({ NumberStyle: "AllowThousands, AllowExponent" }) },
    { reason: "metadata of any kind", input: one({ Metadata: { a: 1, b: null, c: [true], d: { e: {} } } }) },
    { reason: "extensions wherever they stand", input: one({ Limits: { Extensions: [1], "x-note": 1, $id: "a" } }) },
    { reason: "a schema", input: { $schema: "./node_modules/waymark/schema.json", ...one({}) } },
    { reason: "Ocelot's other keys", input: one({ QoSOptions: { TimeoutValue: 5 }, ConnectionClose: 1 }) },
    { reason: "the naming service by Ocelot's name", input: service({}, { Type: "servicefabric", Port: "19081" }) },
  ];

  test("what environment variables fill in", () => {
    const host = { Host: "${HOST}", Port: "${PORT:-80}" };
    const input = one({
      UpstreamPathTemplate: "${BASE}/a",
      DownstreamHostAndPorts: [host],
      DownstreamScheme: "${SCHEME}",
    });

    expect(faultsOf(input)).toEqual([]);
  });

  test.each(kindRows)("$reason, as the gateway does", ({ input }) => {
    expect(faultsOf(input)).toEqual([]);
    parseConfig(input, { logger: false });
  });
});

describe("An independent validator refuses", () => {
  const rows: readonly Readonly<{ reason: string; input: object; fault: string }>[] = [
    { reason: "no upstream template", input: one({ UpstreamPathTemplate: undefined }), fault: "/Routes/0 required" },
    { reason: "an empty template", input: one({ DownstreamPathTemplate: null }), fault: at("DownstreamPathTemplate") },
    {
      reason: "a template without its slash",
      input: one({ UpstreamPathTemplate: "a" }),
      fault: at("UpstreamPathTemplate", "pattern"),
    },
    { reason: "no target", input: one({ DownstreamHostAndPorts: undefined }), fault: "/Routes/0 anyOf" },
    {
      reason: "a host entry without its host",
      input: one({ DownstreamHostAndPorts: [{ Port: 80 }] }),
      fault: at("DownstreamHostAndPorts/0", "required"),
    },
    {
      reason: "a port that is none",
      input: one({ DownstreamHostAndPorts: [{ Host: "a", Port: 99_999 }] }),
      fault: at("DownstreamHostAndPorts/0/Port", "maximum"),
    },
    { reason: "an unknown scheme", input: one({ DownstreamScheme: "htps" }), fault: at("DownstreamScheme", "enum") },
    { reason: "a word for a number", input: one({ Priority: "high" }), fault: at("Priority", "pattern") },
    { reason: "half a priority", input: one({ Priority: 1.5 }), fault: at("Priority") },
    { reason: "a time-out below 0", input: one({ Timeout: -1 }), fault: at("Timeout", "minimum") },
    {
      reason: "no time at all for a connection",
      input: one({ Limits: { Connect: 0 } }),
      fault: at("Limits/Connect", "exclusiveMinimum"),
    },
    { reason: "a number for a boolean", input: one({ AllowUpgrade: 1 }), fault: at("AllowUpgrade") },
    { reason: "a text for a list", input: one({ AllowedOrigins: "a" }), fault: at("AllowedOrigins") },
    { reason: "a list for an object", input: one({ Metadata: ["a"] }), fault: at("Metadata") },
    {
      reason: "a parameter that the naming service does not have",
      input: service({ ClientParameters: ["Partition"] }),
      fault: at("ClientParameters/0", "enum"),
    },
    {
      reason: "two characters to trim",
      input: options({ TrimChars: ["ab"] }),
      fault: "/GlobalConfiguration/MetadataOptions/TrimChars/0 maxLength",
    },
  ];

  test.each(rows)("$reason, as the gateway does", ({ input, fault }) => {
    expect(faultsOf(input)).toContain(fault);
    expect(refusalOf(input).problems).not.toEqual([]);
  });

  test("a mistyped key, of which the gateway warns", () => {
    const input = one({ UpstreamHttpMethods: ["GET"] });

    expect(faultsOf(input)).toEqual(["/Routes/0 additionalProperties"]);
    expect(parseConfig(input, { logger: false }).warnings.map(({ code }) => code)).toEqual(["key-unknown"]);
  });

  test("the file with ten mistakes, for the four that a schema can see", () => {
    const input: unknown = parse(read("__tests__/fixtures/config/ten-mistakes.json"));

    expect([...new Set(faultsOf(input).map((fault) => fault.replace(/ .*/, "")))]).toEqual([
      "/Routes/0/UpstreamPathTemplate",
      "/Routes/0/DownstreamScheme",
      "/Routes/0/DownstreamHostAndPorts/0/Port",
      "/Routes/1/RouteIsCaseSensitive",
    ]);
  });
});

describe("The JSON Schema of what is laid over other files", () => {
  const validateOverlay = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
    createOverlaySchema(),
  );

  test.each<[reason: string, input: object, isValid: boolean]>([
    ["a route that says what it changes", { Routes: [{ Key: "a", Timeout: 3 }] }, true],
    ["a route that is added", { Routes: [{ New: true, ...route() }] }, true],
    ["an aggregate that says what it changes", { Aggregates: [{ Key: "g", Priority: 2 }] }, true],
    ["what holds for all", { GlobalConfiguration: { Timeout: 3 } }, true],
    [
      "a scheme of which one option changes",
      { GlobalConfiguration: { AuthenticationSchemes: { S: { Audience: "b" } } } },
      true,
    ],
    ["a mistyped key", { Routes: [{ Key: "a", Timeut: 3 }] }, false],
    ["hosts go whole, and each has its name", { Routes: [{ Key: "a", DownstreamHostAndPorts: [{ Port: 1 }] }] }, false],
    ["New is no text", { Routes: [{ New: "perhaps", ...route() }] }, false],
  ])("%s", (_reason, input, isValid) => {
    expect(validateOverlay(input)).toBe(isValid);
  });
});

function one(more: Readonly<Record<string, unknown>>): object {
  return { Routes: [route(more)] };
}

function options(more: Readonly<Record<string, unknown>>): object {
  return { Routes: [route()], GlobalConfiguration: { MetadataOptions: more } };
}

function at(path: string, keyword = "type"): string {
  return `/Routes/0/${path} ${keyword}`;
}

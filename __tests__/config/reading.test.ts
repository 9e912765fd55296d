import { describe, expect, test } from "@jest/globals";
import { globalConfigOf } from "../../src/config/gateway-config.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import type { GlobalConfig, RouteConfig } from "../../src/config/sections.ts";
import { global, one, refusalOf, route, service, warningsOf } from "./configurations.ts";

type Row<Config> = Readonly<{ reason: string; written: Record<string, unknown>; read: Partial<Config> }>;

const quiet = { logger: false } as const;

describe("In a route", () => {
  const rows: readonly Row<RouteConfig>[] = [
    { reason: "a key is a text", written: { Key: 12 }, read: { Key: "12" } },
    { reason: "an empty key is absent", written: { Key: "" }, read: {} },
    {
      reason: "methods are upper-case, trimmed and unique",
      written: { UpstreamHttpMethod: ["get", " Get ", "Post"] },
      read: { UpstreamHttpMethod: ["GET", "POST"] },
    },
    { reason: "no methods are absent", written: { UpstreamHttpMethod: [] }, read: {} },
    { reason: "methods that are all null are absent", written: { UpstreamHttpMethod: [null] }, read: {} },
    {
      reason: "true in quotes is true",
      written: { RouteIsCaseSensitive: "TRUE" },
      read: { RouteIsCaseSensitive: true },
    },
    { reason: "a number in quotes is a number", written: { Priority: " -2 " }, read: { Priority: -2 } },
    {
      reason: "a port in quotes is a port",
      written: { DownstreamHostAndPorts: [{ host: "a", PORT: "8080" }] },
      read: { DownstreamHostAndPorts: [{ Host: "a", Port: 8080 }] },
    },
    {
      reason: "port 0 is absent",
      written: { DownstreamHostAndPorts: [{ Host: "a", Port: 0 }] },
      read: { DownstreamHostAndPorts: [{ Host: "a" }] },
    },
    {
      reason: "an address of IPv6 is a host",
      written: { DownstreamHostAndPorts: [{ Host: "::1" }] },
      read: { DownstreamHostAndPorts: [{ Host: "::1" }] },
    },
    { reason: "time-out 0 is absent", written: { Timeout: "0" }, read: {} },
    { reason: "a time-out may have a fraction", written: { Timeout: 0.25 }, read: { Timeout: 0.25 } },
    {
      reason: "words may be in any case",
      written: { DownstreamScheme: "HTTPS", LoadBalancerOptions: { Type: "roundrobin" } },
      read: { DownstreamScheme: "https", LoadBalancerOptions: { Type: "RoundRobin" } },
    },
    {
      reason: "a method downstream is upper-case",
      written: { DownstreamHttpMethod: "put" },
      read: { DownstreamHttpMethod: "PUT" },
    },
    { reason: "a blank service name is absent", written: { ServiceName: "  " }, read: {} },
    {
      reason: "parameters of the naming service have their own spelling",
      written: { ClientParameters: ["partitionkey"] },
      read: { ClientParameters: ["PartitionKey"] },
    },
    {
      reason: "limits keep their names",
      written: { Limits: { body: "1024", Connect: 0.5 } },
      read: { Limits: { Body: 1024, Connect: 0.5 } },
    },
    { reason: "certificates are paths", written: { Tls: { Ca: "ca.pem" } }, read: { Tls: { Ca: "ca.pem" } } },
    {
      reason: "extensions are kept as they are",
      written: { Extensions: { a: [1, null, { "": true }] } },
      read: { Extensions: { a: [1, null, { "": true }] } },
    },
    {
      reason: "header templates may be written as in Ocelot",
      written: { UpstreamHeaderTemplates: { "X-Tenant": "t-{header:tenant}", "X-None": "" } },
      read: { UpstreamHeaderTemplates: { "X-Tenant": "t-{tenant}" } },
    },
    {
      reason: "metadata values become texts",
      written: { Metadata: { a: 1.5, b: false, c: null, d: [1, "x"], e: "" } },
      read: { Metadata: { a: "1.5", b: "False", c: null, d: '[1,"x"]', e: "" } },
    },
  ];

  test.each(rows)("$reason", ({ written, read }) => {
    const [config] = parseConfig(one(written), quiet).routes;

    const { UpstreamPathTemplate, DownstreamPathTemplate, DownstreamHostAndPorts } = route();
    const plain = "DownstreamHostAndPorts" in read ? {} : { DownstreamHostAndPorts };
    expect(config).toEqual({ UpstreamPathTemplate, DownstreamPathTemplate, ...plain, ...read });
  });
});

describe("In the global part", () => {
  const rows: readonly Row<GlobalConfig>[] = [
    {
      reason: "an empty culture is the invariant one",
      written: { MetadataOptions: { CurrentCulture: "" } },
      read: { MetadataOptions: { CurrentCulture: "" } },
    },
    {
      reason: "an absent culture is absent",
      written: { MetadataOptions: { CurrentCulture: null, Separators: [";"] } },
      read: { MetadataOptions: { Separators: [";"] } },
    },
    {
      reason: "no separators are separators",
      written: { MetadataOptions: { Separators: [], TrimChars: [] } },
      read: { MetadataOptions: { Separators: [], TrimChars: [] } },
    },
    {
      reason: "empty separators are kept",
      written: { MetadataOptions: { Separators: ["", "|"] } },
      read: { MetadataOptions: { Separators: ["", "|"] } },
    },
    {
      reason: "an empty text for a list is an empty list",
      written: { MetadataOptions: { Separators: "" } },
      read: { MetadataOptions: { Separators: [] } },
    },
    {
      reason: "styles may be numbers",
      written: { MetadataOptions: { NumberStyle: 511, StringSplitOption: 3 } },
      read: { MetadataOptions: { NumberStyle: "511", StringSplitOption: "3" } },
    },
    {
      reason: "styles keep their text",
      written: { MetadataOptions: { NumberStyle: "AllowThousands, AllowDecimalPoint" } },
      read: { MetadataOptions: { NumberStyle: "AllowThousands, AllowDecimalPoint" } },
    },
    {
      reason: "the provider has one name",
      written: {
        ServiceDiscoveryProvider: { Type: "servicefabric", Scheme: "https", AllowServiceNameParameter: "true" },
      },
      read: { ServiceDiscoveryProvider: { Type: "ServiceCluster", Scheme: "https", AllowServiceNameParameter: true } },
    },
    {
      reason: "a provider of which nothing is set is absent",
      written: { ServiceDiscoveryProvider: { Type: "", Host: null, Port: 0 } },
      read: {},
    },
    {
      reason: "defaults of the routes are read",
      written: { Timeout: 5, LoadBalancerOptions: { Type: "RoundRobin" }, Limits: { Url: 100 } },
      read: { Timeout: 5, LoadBalancerOptions: { Type: "RoundRobin" }, Limits: { Url: 100 } },
    },
  ];

  test.each(rows)("$reason", ({ written, read }) => {
    expect(globalConfigOf(parseConfig(global(written), quiet))).toEqual(read);
  });
});

describe("Metadata of a text", () => {
  const metadataOf = (json: string) => {
    const text = JSON.stringify(one({})).replace('"UpstreamPathTemplate"', `"Metadata":${json},"UpstreamPathTemplate"`);
    return parseConfig(text, quiet).routes[0]?.Metadata;
  };

  test("numbers keep the digits they were written with", () => {
    expect({ ...metadataOf('{"a":1.50,"b":1e3,"c":12345678901234567890,"d":-0}') }).toEqual({
      a: "1.50",
      b: "1e3",
      c: "12345678901234567890",
      d: "-0",
    });
  });

  test("keys are free, compared exactly, and none is special", () => {
    const metadata = metadataOf('{"__proto__":"a","constructor":"b","":"c","Key":"d","key":"e","a.b/c":"f"}');

    expect(Object.getPrototypeOf(metadata)).toBeNull();
    expect(Object.entries(metadata ?? {})).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
      ["", "c"],
      ["Key", "d"],
      ["key", "e"],
      ["a.b/c", "f"],
    ]);
  });

  test("objects within keep their special keys and drop comments", () => {
    expect(metadataOf('{"a":{"__proto__":{"x":1.0}, /* note */ "b":[1,2,]}}')?.a).toBe(
      '{"__proto__":{"x":1.0},"b":[1,2]}',
    );
  });

  test("ten thousand keys and a value of a megabyte are read", () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => [`key${index}`, String(index)]);
    const written = { ...Object.fromEntries(keys), long: "x".repeat(1_000_000) };

    const metadata = metadataOf(JSON.stringify(written));

    expect(Object.keys(metadata ?? {})).toHaveLength(10_001);
    expect(metadata?.long).toHaveLength(1_000_000);
  });
});

describe("What is returned", () => {
  test("is frozen all the way down", () => {
    const config = parseConfig(
      service({ UpstreamHttpMethod: ["GET"], Metadata: { a: "b" }, Extensions: { a: [{}] } }),
      quiet,
    );

    for (const value of everythingIn({ config, global: globalConfigOf(config) }))
      expect(Object.isFrozen(value)).toBe(true);
  });

  test("shows its base URL, routes and warnings, and nothing else", () => {
    const config = parseConfig(global({ BaseUrl: "https://api.example.org" }), quiet);

    expect(Object.keys(config)).toEqual(["baseUrl", "routes", "warnings"]);
    expect(config.baseUrl).toBe("https://api.example.org");
  });

  test("can be told from what only looks like it", () => {
    const config = parseConfig(one({}), quiet);

    expect(globalConfigOf(config)).toEqual({});
    for (const other of [{ ...config }, undefined, null, "text", () => config])
      expect(globalConfigOf(other)).toBeUndefined();
  });
});

describe("A lock that is known to be missing", () => {
  const RateLimiting = { Period: "1s" };

  test("lets the gateway start with a warning", () => {
    const acknowledgeUnsupported = [" ratelimiting "];

    expect(warningsOf(one({ RateLimiting }), { acknowledgeUnsupported })).toEqual(["lock-acknowledged"]);
  });

  test("does not open another lock", () => {
    const written = one({ RateLimiting, AuthenticationOptions: { AuthenticationProvicerKey: "Key" } });
    const { problems } = refusalOf(written, { acknowledgeUnsupported: ["RateLimiting"] });

    expect(problems.map(({ path }) => path)).toEqual(["Routes[0].AuthenticationOptions.AuthenticationProvicerKey"]);
  });

  test("must be named as it is", () => {
    const error = refusalOf(one({ RateLimiting }), { acknowledgeUnsupported: ["RateLimit"] });

    expect(error.problems.map(({ path }) => path)).toEqual(["Routes[0].RateLimiting"]);
    expect(warningsOf(one({}), { acknowledgeUnsupported: ["RateLimit"] })).toEqual(["acknowledgement-unknown"]);
  });

  test("silences a key that has no effect", () => {
    const written = one({ ConnectionClose: true });

    expect(warningsOf(written, { acknowledgeUnsupported: ["ConnectionClose"] })).toEqual([]);
  });

  test("is named in a list", () => {
    const options = { acknowledgeUnsupported: "ConnectionClose" as unknown as string[] };

    expect(() => parseConfig(one({}), { ...options, logger: false })).toThrow(
      'Invalid option "acknowledgeUnsupported": expected a list of key names, such as ["RateLimiting"], received "ConnectionClose"',
    );
  });
});

describe("Locks that are not switched on let the gateway start", () => {
  const rows: readonly (readonly [string, Record<string, unknown>])[] = [
    ["no provider", { AuthenticationOptions: { AuthenticationProviderKey: "", AllowedScopes: [] } }],
    ["anonymous", { AuthenticationOptions: { AuthenticationProviderKey: "", AllowAnonymous: true } }],
    ["no addresses", { SecurityOptions: { IPAllowedList: [], IPBlockedList: [] } }],
    ["no rate limit", { RateLimitOptions: { EnableRateLimiting: "false", Period: "1s", Limit: 1 } }],
    ["a rate limit of nothing", { RateLimitOptions: { ClientWhitelist: [], Period: null, Limit: 0 } }],
    ["no claims", { RouteClaimsRequirement: {}, AddHeadersToRequest: {}, AddQueriesToRequest: { a: "" } }],
    ["no handlers", { DelegatingHandlers: [] }],
  ];

  test.each(rows)("%s", (_reason, written) => {
    expect(warningsOf(one(written))).toEqual([]);
  });
});

function everythingIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(everythingIn);
  return "config" in value ? inner : [value, ...inner];
}

test.each([
  [
    "a scheme",
    { AuthenticationSchemes: { RouteKeys: { Type: "ApiKey", Keys: [{ Name: "a", Sha256: "0".repeat(64) }] } } },
  ],
  ["an entry of metadata", { Metadata: { RouteKeys: "orders" } }],
])("%s may be named as the key that chooses routes is", (_title, GlobalConfiguration) => {
  expect(parseConfig({ Routes: [], GlobalConfiguration }, { logger: false }).warnings.map(({ code }) => code)).toEqual([
    "no-routes",
  ]);
});

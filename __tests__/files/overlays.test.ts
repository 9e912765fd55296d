import { describe, expect, test } from "@jest/globals";
import { loadConfig } from "../../src/index.ts";
import { routeSection } from "../../src/config/sections.ts";
import { run, writeFolder } from "./write-folder.ts";

type Entry = Readonly<Record<string, unknown>>;

const hosts = [{ Host: "a.internal", Port: 1 }];

function route(path: string, more: Entry = {}): Entry {
  return { UpstreamPathTemplate: path, DownstreamPathTemplate: "/", DownstreamHostAndPorts: hosts, ...more };
}

/** What the program prints for parts with something laid over them, or the codes of what is wrong with it. */
async function mergeOver(beneath: unknown, above: unknown): Promise<unknown> {
  const folder = await writeFolder({ "ocelot.parts.json": beneath, "ocelot.Production.json": above });
  const { code, stdout, stderr } = await run("merge", folder.path, "--environment", "Production");
  await folder.remove();
  if (code === 0) return JSON.parse(stdout);
  return [...stderr.matchAll(/\(([a-z]+(?:-[a-z]+)+)\)$/gm)].map(([, found]) => found).join();
}

async function mergeRoutes(beneath: readonly Entry[], above: readonly unknown[]): Promise<unknown> {
  const merged = await mergeOver({ Routes: beneath }, { Routes: above });
  return typeof merged === "string" ? merged : (merged as { Routes: unknown }).Routes;
}

async function mergeGlobal(beneath: Entry, above: unknown): Promise<unknown> {
  const merged = await mergeOver({ GlobalConfiguration: beneath }, { GlobalConfiguration: above });
  return typeof merged === "string" ? merged : (merged as { GlobalConfiguration: unknown }).GlobalConfiguration;
}

const timeout = { Timeout: 9 };

describe("an entry for a route is laid over", () => {
  const a = route("/a", { Key: "a" });
  const plain = route("/a");
  const get = route("/a", { UpstreamHttpMethod: ["Get", "Put"] });
  const post = route("/a", { UpstreamHttpMethod: ["Post"] });
  const shop = route("/a", { UpstreamHost: "Shop.example" });
  const tenant = route("/a", { UpstreamHeaderTemplates: { "X-Tenant": "{header:tenant}" } });
  const unmatched = "overlay-unmatched";
  const ambiguous = "overlay-ambiguous";
  const rows: readonly (readonly [why: string, beneath: Entry[], above: unknown[], expected: unknown])[] = [
    ["that of its Key", [a], [{ Key: "a", ...timeout }], [{ ...a, ...timeout }]],
    [
      "that of its Key, wherever it stands",
      [route("/b"), a],
      [{ Key: "a", ...timeout }],
      [route("/b"), { ...a, ...timeout }],
    ],
    [
      "that of its Key, and may change its template",
      [a],
      [{ Key: "a", UpstreamPathTemplate: "/n" }],
      [{ ...a, UpstreamPathTemplate: "/n" }],
    ],
    ["none of another configuration, which is told once", [a], [route("/b"), route("/c"), route("/d")], unmatched],
    [
      "none, which each is told that says only what is different",
      [a],
      ["/b", "/c"].map((path) => ({ UpstreamPathTemplate: path, ...timeout })),
      `${unmatched},${unmatched}`,
    ],
    [
      "none, which each is told beside one that is about something",
      [a],
      [{ Key: "a", ...timeout }, route("/b"), route("/c")],
      `${unmatched},${unmatched}`,
    ],
    ["none whose Key differs in case", [a], [{ Key: "A", ...timeout }], unmatched],
    [
      "none whose Key is another one, though the template is the same",
      [a],
      [{ Key: "b", UpstreamPathTemplate: "/a" }],
      unmatched,
    ],
    [
      "one without a Key that has its template, and gives it the Key",
      [plain],
      [{ Key: "k", UpstreamPathTemplate: "/a" }],
      [{ ...plain, Key: "k" }],
    ],
    ["that of its template", [plain], [{ UpstreamPathTemplate: "/a", ...timeout }], [{ ...plain, ...timeout }]],
    [
      "that of its template, which has a Key",
      [a],
      [{ UpstreamPathTemplate: "/a", ...timeout }],
      [{ ...a, ...timeout }],
    ],
    ["none whose template differs in case", [plain], [{ UpstreamPathTemplate: "/A", ...timeout }], unmatched],
    ["none whose placeholder has another name", [route("/a/{x}")], [{ UpstreamPathTemplate: "/a/{y}" }], unmatched],
    [
      "that of its methods",
      [get, post],
      [{ UpstreamPathTemplate: "/a", UpstreamHttpMethod: ["POST"], ...timeout }],
      [get, { ...post, UpstreamHttpMethod: ["POST"], ...timeout }],
    ],
    [
      "that of its methods, in any order",
      [get, post],
      [{ UpstreamPathTemplate: "/a", UpstreamHttpMethod: ["put", "GET"], ...timeout }],
      [{ ...get, UpstreamHttpMethod: ["put", "GET"], ...timeout }, post],
    ],
    [
      "that of its method, written as a text",
      [get, post],
      [{ UpstreamPathTemplate: "/a", UpstreamHttpMethod: "Post", ...timeout }],
      [get, { ...post, UpstreamHttpMethod: "Post", ...timeout }],
    ],
    [
      "none that takes other methods",
      [post],
      [{ UpstreamPathTemplate: "/a", UpstreamHttpMethod: ["Delete"] }],
      unmatched,
    ],
    ["none that takes more methods", [get], [{ UpstreamPathTemplate: "/a", UpstreamHttpMethod: ["Get"] }], unmatched],
    [
      "the only one, where it does not write methods",
      [post],
      [{ UpstreamPathTemplate: "/a", ...timeout }],
      [{ ...post, ...timeout }],
    ],
    [
      "none of two, where it does not write methods",
      [get, post],
      [{ UpstreamPathTemplate: "/a", ...timeout }],
      ambiguous,
    ],
    [
      "that without a host, where it writes none",
      [plain, shop],
      [{ UpstreamPathTemplate: "/a", ...timeout }],
      [{ ...plain, ...timeout }, shop],
    ],
    [
      "that of its host, in any case",
      [plain, shop],
      [{ UpstreamPathTemplate: "/a", UpstreamHost: "shop.EXAMPLE", ...timeout }],
      [plain, { ...shop, UpstreamHost: "shop.EXAMPLE", ...timeout }],
    ],
    ["none of another host", [shop], [{ UpstreamPathTemplate: "/a", UpstreamHost: "b.example" }], unmatched],
    [
      "that of its header templates, in either spelling",
      [plain, tenant],
      [{ UpstreamPathTemplate: "/a", UpstreamHeaderTemplates: { "x-tenant": "{tenant}" }, ...timeout }],
      [plain, { ...tenant, UpstreamHeaderTemplates: { "x-tenant": "{tenant}" }, ...timeout }],
    ],
    [
      "none of another header template",
      [tenant],
      [{ UpstreamPathTemplate: "/a", UpstreamHeaderTemplates: { "x-tenant": "blue" } }],
      unmatched,
    ],
    ["nothing, where it says neither Key nor template", [a], [timeout], unmatched],
    ["nothing, where it is empty", [a], [{}], unmatched],
    ["nothing, where its Key is empty", [a], [{ Key: "", ...timeout }], unmatched],
    ["none of two that have one Key", [a, route("/b", { Key: "a" })], [{ Key: "a", ...timeout }], ambiguous],
    [
      "none that another entry is laid over",
      [a],
      [
        { Key: "a", ...timeout },
        { UpstreamPathTemplate: "/a", Priority: 2 },
      ],
      ambiguous,
    ],
    ["nothing, and is added, where it says so", [a], [{ New: true, ...route("/n") }], [a, route("/n")]],
    ["nothing, and is added, where a text says so", [a], [{ new: "True", ...route("/n") }], [a, route("/n")]],
    ["nothing, where it says that it is not new", [a], [{ New: false, ...route("/n") }], unmatched],
    ["nothing, where it says that it is new, and is not", [a], [{ New: true, Key: "a" }], ambiguous],
    ["nothing, where what it says of that is no truth", [a], [{ New: 1, ...route("/n") }], "wrong-type"],
    [
      "one, without the word itself where it is false",
      [a],
      [{ New: false, Key: "a", ...timeout }],
      [{ ...a, ...timeout }],
    ],
    ["nothing, where it is no object", [a], ["a"], "wrong-type"],
  ];

  test.each(rows)("%s", async (_why, beneath, above, expected) => {
    expect(await mergeRoutes(beneath, above)).toEqual(expected);
  });
});

describe("what is laid over a route changes it:", () => {
  const limited = { RateLimitOptions: { Limit: 5, Period: "1m" } };
  const locked = { AuthenticationOptions: { AuthenticationProviderKeys: ["A", "B"], AllowedScopes: ["s"] } };
  const rows: readonly (readonly [why: string, beneath: Entry, above: Entry, expected: Entry])[] = [
    ["a key that is not there is added", {}, { Priority: 2 }, { Priority: 2 }],
    ["a value takes the place of another", { Priority: 1 }, { Priority: 2 }, { Priority: 2 }],
    ["a key in another case is the same key", { Priority: 1 }, { priority: 2 }, { priority: 2 }],
    ["null changes nothing", { Priority: 1 }, { Priority: null }, { Priority: 1 }],
    ["{} changes nothing", limited, { RateLimitOptions: {} }, limited],
    ["[] changes nothing", { DelegatingHandlers: ["x"] }, { DelegatingHandlers: [] }, { DelegatingHandlers: ["x"] }],
    ["null where nothing is, too", {}, { Priority: null }, {}],
    [
      "an empty text changes nothing",
      { UpstreamHost: "a.example" },
      { UpstreamHost: "" },
      { UpstreamHost: "a.example" },
    ],
    ["an empty text where nothing is, too", {}, { UpstreamHost: "" }, {}],
    [
      "an empty text within an object changes nothing",
      locked,
      { AuthenticationOptions: { AuthenticationProviderKey: "", AllowedScopes: "" } },
      locked,
    ],
    ["an empty text in place of an object changes nothing", locked, { AuthenticationOptions: "" }, locked],
    [
      "an empty text in an old spelling changes nothing",
      { RateLimitOptions: { ...limited.RateLimitOptions, StatusCode: 418 } },
      { RateLimitOptions: { HttpStatusCode: "" } },
      { RateLimitOptions: { ...limited.RateLimitOptions, StatusCode: 418 } },
    ],
    [
      "an empty header template changes nothing",
      { UpstreamHeaderTemplates: { "X-A": "{a}" } },
      { UpstreamHeaderTemplates: { "x-a": "" } },
      { UpstreamHeaderTemplates: { "X-A": "{a}" } },
    ],
    [
      "an empty expression of claims changes nothing",
      { AddHeadersToRequest: { "X-User": "Claims[sub] > value" } },
      { AddHeadersToRequest: { "X-User": "" } },
      { AddHeadersToRequest: { "X-User": "Claims[sub] > value" } },
    ],
    [
      "an empty text in metadata is a value",
      { Metadata: { a: "1", b: { c: "2" } } },
      { Metadata: { a: "", b: { c: "" } } },
      { Metadata: { a: "", b: { c: "" } } },
    ],
    [
      "an empty text removes a header",
      { UpstreamHeaderTransform: { "X-A": "1", "X-B": "2" } },
      { UpstreamHeaderTransform: { "X-A": "", "X-B": { Set: "" } } },
      { UpstreamHeaderTransform: { "X-A": "", "X-B": { Set: "" } } },
    ],
    [
      "an empty requirement is there, and is told as such",
      { RouteClaimsRequirement: { role: "a" } },
      { RouteClaimsRequirement: { tenant: "" } },
      { RouteClaimsRequirement: { role: "a", tenant: "" } },
    ],
    [
      "an empty text of yours is a value",
      { Extensions: { a: "1" } },
      { Extensions: { a: "" } },
      { Extensions: { a: "" } },
    ],
    [
      "false is a value",
      { RouteIsCaseSensitive: true },
      { RouteIsCaseSensitive: false },
      { RouteIsCaseSensitive: false },
    ],
    ["0 is a value", { Timeout: 3 }, { Timeout: 0 }, { Timeout: 0 }],
    [
      "objects go key by key",
      limited,
      { RateLimitOptions: { Limit: 9 } },
      { RateLimitOptions: { Limit: 9, Period: "1m" } },
    ],
    ["null within an object changes nothing", limited, { RateLimitOptions: { Limit: null } }, limited],
    [
      "lists go whole",
      { DelegatingHandlers: ["x", "y"] },
      { DelegatingHandlers: ["z"] },
      { DelegatingHandlers: ["z"] },
    ],
    [
      "lists of hosts go whole",
      {},
      { DownstreamHostAndPorts: [{ Host: "b" }] },
      { DownstreamHostAndPorts: [{ Host: "b" }] },
    ],
    [
      "lists of schemes go whole",
      locked,
      { AuthenticationOptions: { AuthenticationProviderKeys: ["C"] } },
      { AuthenticationOptions: { AuthenticationProviderKeys: ["C"], AllowedScopes: ["s"] } },
    ],
    [
      "one scheme takes the place of several",
      locked,
      { AuthenticationOptions: { AuthenticationProviderKey: "C" } },
      { AuthenticationOptions: { AuthenticationProviderKey: "C", AllowedScopes: ["s"] } },
    ],
    [
      "an object takes the place of what is none",
      { LoadBalancerOptions: "x" },
      { LoadBalancerOptions: { Type: "RoundRobin" } },
      { LoadBalancerOptions: { Type: "RoundRobin" } },
    ],
    [
      "an old spelling is the same key",
      { RouteIsCaseSensitive: true },
      { ReRouteIsCaseSensitive: false },
      { ReRouteIsCaseSensitive: false },
    ],
    [
      "an old spelling within an object, too",
      { RateLimitOptions: { ...limited.RateLimitOptions, StatusCode: 418 } },
      { RateLimitOptions: { HttpStatusCode: 430 } },
      { RateLimitOptions: { ...limited.RateLimitOptions, HttpStatusCode: 430 } },
    ],
    [
      "old hosts take the place of new ones",
      {},
      { DownstreamHost: "b" },
      { DownstreamHost: "b", DownstreamHostAndPorts: undefined },
    ],
    [
      "metadata go key by key, and exactly",
      { Metadata: { a: "1", A: "2" } },
      { Metadata: { a: "3" } },
      { Metadata: { a: "3", A: "2" } },
    ],
    [
      "headers compare without case",
      { UpstreamHeaderTransform: { "X-A": "1" } },
      { UpstreamHeaderTransform: { "x-a": "2" } },
      { UpstreamHeaderTransform: { "x-a": "2" } },
    ],
    [
      "what is done with a header goes whole",
      { UpstreamHeaderTransform: { "X-A": { Set: "1" } } },
      { UpstreamHeaderTransform: { "X-A": { Append: "2" } } },
      { UpstreamHeaderTransform: { "X-A": { Append: "2" } } },
    ],
    [
      "requirements add up",
      { RouteClaimsRequirement: { role: "a" } },
      { RouteClaimsRequirement: { tenant: "t" } },
      { RouteClaimsRequirement: { role: "a", tenant: "t" } },
    ],
    [
      "what nobody knows goes key by key as well",
      { "x-mine": { a: 1, b: 2 } },
      { "x-mine": { a: 3 } },
      { "x-mine": { a: 3, b: 2 } },
    ],
    ["a variable stays as it is written", { Timeout: 1 }, { Timeout: "${T}" }, { Timeout: "${T}" }],
  ];

  test.each(rows)("%s", async (_why, beneath, above, expected) => {
    const merged = await mergeRoutes([route("/a", { Key: "a", ...beneath })], [{ Key: "a", ...above }]);
    const [entry] = typeof merged === "string" ? [merged] : (merged as Entry[]);
    expect(entry).toEqual(
      JSON.parse(JSON.stringify({ ...withoutKeysOf(expected, route("/a", { Key: "a" })), ...expected })),
    );
  });

  test("an empty text of no key changes anything", async () => {
    const keys = Object.keys(routeSection.keys).filter((key) => key !== "Key");
    const all = (value: string): Entry => Object.fromEntries(keys.map((key) => [key, value]));
    const beneath = { ...all("x"), Key: "a" };
    expect(await mergeRoutes([beneath], [{ ...all(""), Key: "a" }])).toEqual([beneath]);
  });

  /** The usual route, without what the row writes in another spelling. */
  function withoutKeysOf(expected: Entry, usual: Entry): Entry {
    return "DownstreamHost" in expected ? { ...usual, DownstreamHostAndPorts: undefined } : usual;
  }
});

describe("what is laid over the rest changes it:", () => {
  const jwt = { Type: "Jwt", Issuer: "https://a.example", Audience: "x" };
  const globals: readonly (readonly [why: string, beneath: Entry, above: unknown, expected: unknown])[] = [
    [
      "sections go key by key",
      { RateLimitOptions: { Limit: 1, Period: "1s" } },
      { RateLimitOptions: { Limit: 2 } },
      { RateLimitOptions: { Limit: 2, Period: "1s" } },
    ],
    ["null changes nothing", { Timeout: 3 }, null, { Timeout: 3 }],
    ["an empty text changes nothing", { Timeout: 3 }, "", { Timeout: 3 }],
    ["an empty text of a key changes nothing", { Timeout: 3 }, { Timeout: "" }, { Timeout: 3 }],
    [
      "an empty text of a scheme, or in place of one, changes nothing",
      { AuthenticationSchemes: { S: jwt, T: jwt } },
      { AuthenticationSchemes: { S: { Type: "", Audience: "" }, T: "" } },
      { AuthenticationSchemes: { S: jwt, T: jwt } },
    ],
    [
      "an empty culture is a value",
      { MetadataOptions: { CurrentCulture: "de-DE" } },
      { MetadataOptions: { CurrentCulture: "" } },
      { MetadataOptions: { CurrentCulture: "" } },
    ],
    [
      "a scheme of the same Type goes key by key",
      { AuthenticationSchemes: { S: jwt } },
      { AuthenticationSchemes: { S: { Type: "jwt", Audience: "y" } } },
      { AuthenticationSchemes: { S: { ...jwt, Type: "jwt", Audience: "y" } } },
    ],
    [
      "a scheme without a Type goes key by key",
      { AuthenticationSchemes: { S: jwt } },
      { AuthenticationSchemes: { S: { Audience: "y" } } },
      { AuthenticationSchemes: { S: { ...jwt, Audience: "y" } } },
    ],
    [
      "a scheme of another Type goes whole",
      { AuthenticationSchemes: { S: jwt } },
      { AuthenticationSchemes: { S: { Type: "ApiKey", Keys: [1] } } },
      { AuthenticationSchemes: { S: { Type: "ApiKey", Keys: [1] } } },
    ],
    [
      "another name is another scheme",
      { AuthenticationSchemes: { S: jwt } },
      { AuthenticationSchemes: { T: jwt } },
      { AuthenticationSchemes: { S: jwt, T: jwt } },
    ],
  ];

  test.each(globals)("%s", async (_why, beneath, above, expected) => {
    expect(await mergeGlobal(beneath, above)).toEqual(expected);
  });

  const orders = { ServiceName: "orders", ServiceNamespace: "shop" };
  const lists: readonly (readonly [why: string, beneath: Entry, above: Entry, expected: unknown])[] = [
    [
      "a dynamic route by namespace and service",
      { DynamicRoutes: [orders, { ServiceName: "orders" }] },
      { DynamicRoutes: [{ ...orders, Timeout: 2 }] },
      { DynamicRoutes: [{ ...orders, Timeout: 2 }, { ServiceName: "orders" }] },
    ],
    [
      "no dynamic route of another namespace",
      { DynamicRoutes: [orders] },
      { DynamicRoutes: [{ ...orders, ServiceNamespace: "x" }] },
      "overlay-unmatched",
    ],
    [
      "an aggregate by its Key",
      { Aggregates: [{ Key: "g", UpstreamPathTemplate: "/g" }] },
      { Aggregates: [{ Key: "g", Priority: 2 }] },
      { Aggregates: [{ Key: "g", UpstreamPathTemplate: "/g", Priority: 2 }] },
    ],
    [
      "an aggregate by its template",
      { Aggregates: [{ UpstreamPathTemplate: "/g" }] },
      { Aggregates: [{ UpstreamPathTemplate: "/g", Priority: 2 }] },
      { Aggregates: [{ UpstreamPathTemplate: "/g", Priority: 2 }] },
    ],
    [
      "no aggregate that is not there",
      { Aggregates: [{ UpstreamPathTemplate: "/g" }] },
      { Aggregates: [{ UpstreamPathTemplate: "/h" }] },
      "overlay-unmatched",
    ],
    ["an empty list changes nothing", { Routes: [route("/a")] }, { Routes: [] }, { Routes: [route("/a")] }],
    [
      "an old name is the same list",
      { ReRoutes: [route("/a", { Key: "a" })] },
      { Routes: [{ Key: "a", ...timeout }] },
      { Routes: [{ ...route("/a", { Key: "a" }), ...timeout }] },
    ],
  ];

  test.each(lists)("%s", async (_why, beneath, above, expected) => {
    expect(await mergeOver(beneath, above)).toEqual(expected);
  });
});

describe("an overlay that opens a lock warns:", () => {
  const key = { Type: "ApiKey", Keys: [{ Name: "n", Sha256: "0".repeat(64) }] };
  const schemes = { AuthenticationSchemes: { S: key } };
  const asked = { AuthenticationOptions: { AuthenticationProviderKeys: ["S"] } };
  const rows: readonly (readonly [why: string, own: Entry, global: Entry, above: Entry, opened: number])[] = [
    ["nothing is opened", asked, schemes, { Routes: [{ Key: "a", ...timeout }] }, 0],
    [
      "for all, AllowAnonymous",
      {},
      { ...schemes, ...asked },
      { GlobalConfiguration: { AuthenticationOptions: { AllowAnonymous: true } } },
      1,
    ],
    [
      "on the route, AllowAnonymous",
      {},
      { ...schemes, ...asked },
      { Routes: [{ Key: "a", AuthenticationOptions: { AllowAnonymous: true } }] },
      1,
    ],
    [
      "a limit that is switched off",
      { RateLimitOptions: { Limit: 1, Period: "1s", ClientIdHeader: "X" } },
      {},
      { Routes: [{ Key: "a", RateLimitOptions: { EnableRateLimiting: false } }] },
      1,
    ],
    [
      "not, where an empty text stands for a scheme",
      { AuthenticationOptions: { AuthenticationProviderKey: "S" } },
      schemes,
      { Routes: [{ Key: "a", AuthenticationOptions: { AuthenticationProviderKey: "" } }] },
      0,
    ],
    ["null opens nothing", asked, schemes, { Routes: [{ Key: "a", AuthenticationOptions: null }] }, 0],
    ["a lock that is added opens nothing", {}, schemes, { Routes: [{ Key: "a", ...asked }] }, 0],
  ];

  test.each(rows)("%s", async (_why, own, global, above, opened) => {
    const beneath = { Routes: [route("/a", { Key: "a", ...own })], GlobalConfiguration: global };
    const folder = await writeFolder({ "ocelot.json": beneath, "ocelot.Production.json": above });
    const { warnings } = await loadConfig(folder.path, { environmentName: "Production", logger: false });
    await folder.remove();
    const found = warnings.filter(({ code }) => code === "lock-opened");
    expect(found.map(({ file }) => file?.endsWith("ocelot.Production.json"))).toEqual(Array(opened).fill(true));
  });

  test("what a variable makes empty in it stops the start", async () => {
    const beneath = { Routes: [route("/a", { Key: "a", UpstreamHost: "a.example" })] };
    const above = { Routes: [{ Key: "a", UpstreamHost: "${HOST}" }] };
    const folder = await writeFolder({ "ocelot.json": beneath, "ocelot.Production.json": above });
    const options = { environmentName: "Production", environment: { HOST: "" }, logger: false } as const;
    await expect(loadConfig(folder.path, options)).rejects.toMatchObject({ problems: [{ code: "lock-value-empty" }] });
    await folder.remove();
  });

  const provider = { ServiceDiscoveryProvider: { Type: "Dns" } };
  const dynamic: readonly (readonly [why: string, own: Entry, above: Entry, found: readonly unknown[]])[] = [
    [
      "on a dynamic route, AllowAnonymous",
      {},
      { DynamicRoutes: [{ ServiceName: "orders", AuthenticationOptions: { AllowAnonymous: true } }] },
      [expect.stringContaining('DynamicRoutes[0] of "')],
    ],
    [
      "services that no route names",
      {},
      { GlobalConfiguration: { ServiceDiscoveryProvider: { AllowAnyService: true } } },
      [expect.stringContaining('"AllowAnyService" opens all services')],
    ],
    ["a dynamic route keeps its lock", {}, { DynamicRoutes: [{ ServiceName: "orders", ...timeout }] }, []],
  ];

  test.each(dynamic)("%s", async (_why, own, above, expected) => {
    const beneath = {
      DynamicRoutes: [{ ServiceName: "orders", ...own }],
      GlobalConfiguration: { ...schemes, ...asked, ...provider },
    };
    const folder = await writeFolder({ "ocelot.json": beneath, "ocelot.Production.json": above });
    const { warnings } = await loadConfig(folder.path, { environmentName: "Production", logger: false });
    await folder.remove();
    const found = warnings.filter(({ code }) => code === "lock-opened");
    expect(found.map(({ message }) => message)).toEqual(expected);
    expect(found.every(({ file }) => file?.endsWith("ocelot.Production.json"))).toBe(true);
  });
});

test("an overlay that opens the lock of a listed service is warned of, also where it adds a route", async () => {
  const limit = (options: object) => ({ DynamicRoutes: [{ ServiceName: "orders", RateLimitOptions: options }] });
  const global = { GlobalConfiguration: { ServiceDiscoveryProvider: { Host: "consul.internal" } } };
  const above = { ...limit({ EnableRateLimiting: false }), Routes: [{ ...route("/new", {}), New: true }] };
  const folder = await writeFolder({
    "ocelot.json": { Routes: [route("/a", {})], ...limit({ Limit: 1, Period: "1s" }), ...global },
    "ocelot.Production.json": above,
  });
  const { warnings } = await loadConfig(folder.path, { environmentName: "Production", logger: false });
  await folder.remove();
  const found = warnings.filter(({ code }) => code === "lock-opened");
  expect(found.map(({ message }) => message.split(" of ")[0])).toEqual(["DynamicRoutes[0]"]);
});

test("an entry for other methods of a known template is told what tells the two apart", async () => {
  const folder = await writeFolder({
    "ocelot.json": { Routes: [route("/blog/{id}", { UpstreamHttpMethod: ["Get"] })] },
    "ocelot.Test.json": { Routes: [route("/blog/{id}", { UpstreamHttpMethod: ["Get", "Post"] })] },
  });
  const { stdout } = await run("check", folder.path, "--environment", "Test");
  await folder.remove();
  expect(stdout).toContain('what stands beneath for "/blog/{id}" is another route, by "Key", methods');
  expect(stdout).not.toContain("there is no route");
});

import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { stringify } from "yaml";
import { configOf, type Parsed, type Scene, startScene } from "./scene.ts";
import { findFaults } from "./validate-document.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

const all = { UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}" };

type Settings = { routes?: object[]; endpoint?: object; global?: object; options?: object };

async function narrow(document: object | string, settings: Settings = {}): Promise<Parsed> {
  const { routes = [all], endpoint, global, options } = settings;
  scene.say(document);
  const config = { ...configOf(scene.service, routes, endpoint), GlobalConfiguration: global ?? {} };
  await scene.use(config, options, { allowAnonymous: true });
  const { json, status, text } = await scene.get("/swagger/docs/v1/shop");
  if (status !== 200) throw new Error(text);
  expect(findFaults(json)).toEqual([]);
  return json;
}

const json = (schema: unknown): object => ({
  200: { description: "well", content: { "application/json": { schema } } },
});
const info = { title: "Shop", version: "1.2" };

function three(paths: object, schemas: object = {}, rest: object = {}): object {
  return { openapi: "3.0.1", info, paths, components: { schemas }, ...rest };
}

describe("what is in a document besides its paths", () => {
  test("components that operations need, directly or not, and no others", async () => {
    const { components } = await narrow(
      three(
        { "/a": { get: { responses: json({ $ref: "#/components/schemas/A" }) } }, "/none": {} },
        {
          A: { properties: { b: { type: "array", items: { $ref: "#/components/schemas/B" } } } },
          B: { allOf: [{ $ref: "#/components/schemas/A" }] },
          Unused: { $ref: "#/components/schemas/AlsoUnused" },
          AlsoUnused: {},
        },
      ),
    );
    expect(Object.keys(components.schemas)).toEqual(["A", "B"]);
  });

  test("components that are not needed stay where the file says so", async () => {
    const document = three(
      { "/a": { get: { responses: {} } } },
      { Unused: { type: "object" } },
      { tags: [{ name: "t" }] },
    );
    const kept = await narrow(document, { endpoint: { RemoveUnusedComponentsFromScheme: false } });
    expect(kept).toMatchObject({ components: { schemas: { Unused: {} } }, tags: [{ name: "t" }] });
  });

  test("kinds of a schema that tells them apart, and the kinds of 2.0, which only name their parent", async () => {
    const mapping = { cat: "#/components/schemas/Cat", dog: "Dog", else: "http://elsewhere/Bird.json" };
    const schemas = {
      Pet: { discriminator: { propertyName: "kind", mapping } },
      Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }] },
      Dog: { type: "object" },
      Fish: { allOf: [{ $ref: "#/components/schemas/Pet" }] },
    };
    const { components } = await narrow(
      three({ "/a": { get: { responses: json({ $ref: "#/components/schemas/Pet" }) } } }, schemas),
    );
    expect(Object.keys(components.schemas).sort()).toEqual(["Cat", "Dog", "Fish", "Pet"]);
    expect(components.schemas.Pet.discriminator.mapping).toEqual({
      cat: "#/components/schemas/Cat",
      dog: "#/components/schemas/Dog",
    });
  });

  test("references to anything within the document, and none to the outside", async () => {
    const document = three(
      {
        "/a": {
          get: {
            parameters: [{ $ref: "http://internal/parameters.json#/P" }, { $ref: "#/components/parameters/P" }],
            responses: json({ $ref: "#/paths/~1b/get/responses/200/content/application~1json/schema" }),
          },
        },
        "/b": {
          get: { responses: json({ properties: { x: { $ref: "./other.yaml#/X" }, y: { $ref: "#/nothing" } } }) },
        },
      },
      {},
      { components: { parameters: { P: { name: "p", in: "query", schema: {} } } } },
    );
    const { paths, components } = await narrow(document, {
      routes: [{ ...all, UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/a" }],
    });
    expect(paths["/a"].get.parameters).toEqual([{ $ref: "#/components/parameters/P" }]);
    expect(Object.values(components.schemas)).toEqual([{ properties: { x: {}, y: {} } }]);
  });

  test("no extensions, callbacks, links, webhooks or servers, but properties that are called like them", async () => {
    const document = three(
      {
        "x-hidden": {},
        "/a": {
          servers: [{ url: "http://internal:1/" }],
          get: {
            "x-hidden": "internal",
            servers: [{ url: "http://internal:1/" }],
            callbacks: { done: { "http://internal:2/{$request.body#/url}": { post: { responses: {} } } } },
            responses: { ...json({ properties: { "x-kept": { "x-hidden": 1 }, servers: {} } }), "x-hidden": {} },
          },
        },
      },
      {},
      { servers: [{ url: "http://internal:1/" }], webhooks: { w: {} }, "x-hidden": 1 },
    );
    const text = JSON.stringify(await narrow(document));
    expect(text).toContain("x-kept");
    expect(text).not.toMatch(/internal|x-hidden|callbacks|webhooks/);
  });

  test("tags of its operations only", async () => {
    const tags = [{ name: "used", description: "d", "x-a": 1 }, { name: "unused" }];
    const { tags: kept } = await narrow(three({ "/a": { get: { tags: ["used"], responses: {} } } }, {}, { tags }));
    expect(kept).toEqual([{ name: "used", description: "d" }]);
  });

  test("ids of operations that are there several times, each once", async () => {
    const routes = ["/a", "/b"].map((UpstreamPathTemplate) => ({ UpstreamPathTemplate, DownstreamPathTemplate: "/a" }));
    const { paths } = await narrow(three({ "/a": { get: { operationId: "read", responses: {} } } }), { routes });
    expect([paths["/a"].get.operationId, paths["/b"].get.operationId]).toEqual(["read", "read_2"]);
  });

  test("what an operation has from its path", async () => {
    const item = {
      summary: "of the path",
      parameters: [
        { name: "p", in: "query", schema: {}, description: "path" },
        { name: "q", in: "query", schema: {} },
      ],
      get: { parameters: [{ name: "p", in: "query", schema: {}, description: "own" }], responses: {} },
    };
    const { paths } = await narrow(three({ "/a": item }));
    expect(paths["/a"].get).toMatchObject({
      summary: "of the path",
      parameters: [{ description: "own" }, { name: "q" }],
    });
  });

  test("parameters that the route sets from claims are not the client's to send", async () => {
    const parameters = ["user", "page"].map((name) => ({ name, in: "query", schema: {} }));
    const header = { name: "X-User", in: "header", schema: {} };
    const route = {
      ...all,
      AuthenticationOptions: { AuthenticationProviderKey: "Keys" },
      AddQueriesToRequest: { user: "Claims[sub] > value" },
      AddHeadersToRequest: { "x-user": "Claims[sub] > value" },
    };
    const global = {
      AuthenticationSchemes: { Keys: { Type: "ApiKey", Keys: [{ Name: "n", Sha256: "ab".repeat(32) }] } },
    };
    const document = three({ "/a": { get: { parameters: [...parameters, header], responses: {} } } });
    const { paths } = await narrow(document, { routes: [route], global });
    expect(paths["/a"].get.parameters.map(({ name }: Parsed) => name)).toEqual(["page"]);
  });

  test("integers that a number cannot hold", async () => {
    const text = JSON.stringify(three({ "/a": { get: { responses: json({ maximum: 1 }) } } }));
    scene.say(text.replace('"maximum":1', '"maximum":9223372036854775807'));
    await scene.use(configOf(scene.service, [all]));
    expect((await scene.get("/swagger/docs/v1/shop")).text).toContain('"maximum":9223372036854775807');
  });

  test("names that objects have by themselves do no harm", async () => {
    const document = `{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"d",
      "content":{"application/json":{"schema":{"properties":{"__proto__":{"type":"string"},"constructor":{"$ref":"#/components/schemas/__proto__"},
      "x":{"$ref":"#/components/schemas/toString"}}}}}}}}}},"components":{"schemas":{"__proto__":{"type":"object"}}}}`;
    const { components } = await narrow(document);
    expect(Object.getOwnPropertyNames(components.schemas)).toEqual(["__proto__"]);
    expect(({} as Parsed).type).toBeUndefined();
  });
});

describe("versions and forms", () => {
  test("a document in YAML becomes JSON", async () => {
    const document = three(
      { "/a": { get: { responses: json({ $ref: "#/components/schemas/A" }) } } },
      { A: { type: "object" } },
    );
    expect(await narrow(stringify(document))).toEqual(await narrow(document));
  });

  test("OpenAPI 3.1: all of JSON Schema, but for bases of its own", async () => {
    const schema = {
      $id: "http://internal/s",
      $ref: "#/components/schemas/A",
      description: "beside",
      type: ["string", "null"],
      prefixItems: [true, { $ref: "#/components/schemas/A" }],
      $defs: { D: { const: { $ref: "data" } } },
      "x-a": 1,
    };
    const document = {
      openapi: "3.1.0",
      info: { ...info, summary: "s", license: { name: "MIT", identifier: "MIT" } },
      paths: { "/a": { $ref: "#/components/pathItems/A" } },
      components: { schemas: { A: false }, pathItems: { A: { get: { responses: json(schema) } } } },
    };
    const { paths, components, openapi, info: told } = await narrow(document);
    const kept = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "$id" && name !== "x-a"));
    expect(openapi).toBe("3.1.0");
    expect(told).toEqual(document.info);
    expect(paths["/a"].get.responses[200].content["application/json"].schema).toEqual(kept);
    expect(components).toEqual({ schemas: { A: false } });
  });

  test("OpenAPI 2.0: bodies, forms and definitions", async () => {
    const document = {
      swagger: "2.0",
      info,
      host: "internal:81",
      basePath: "/api",
      schemes: ["http"],
      consumes: ["application/json"],
      paths: {
        "/a": {
          post: {
            schemes: ["ws"],
            parameters: [
              { name: "body", in: "body", schema: { $ref: "#/definitions/List«A»" } },
              { name: "f", in: "formData", type: "array" },
              { name: "h", in: "header" },
            ],
            responses: { 200: { description: "d", schema: { $ref: "#/definitions/A" }, headers: { R: {} } } },
          },
        },
      },
      definitions: { A: { type: "object" }, "List«A»": { type: "array", items: { $ref: "#/definitions/A" } } },
    };
    const narrowed = await narrow(document, {
      routes: [{ UpstreamPathTemplate: "/x/{all}", DownstreamPathTemplate: "/api/{all}" }],
    });
    expect(narrowed).toEqual({
      swagger: "2.0",
      info,
      basePath: "/",
      consumes: ["application/json"],
      paths: {
        "/x/a": {
          post: {
            parameters: [
              { name: "body", in: "body", schema: { $ref: "#/definitions/List_A_" } },
              { name: "f", in: "formData", type: "array", items: { type: "string" } },
              { name: "h", in: "header", type: "string" },
            ],
            responses: {
              200: { description: "d", schema: { $ref: "#/definitions/A" }, headers: { R: { type: "string" } } },
            },
          },
        },
      },
      definitions: { List_A_: { type: "array", items: { $ref: "#/definitions/A" } }, A: { type: "object" } },
    });
  });

  const servers: readonly (readonly [what: string, settings: Settings, three: unknown, two: object])[] = [
    ["nothing is written: where the document is", {}, [{ url: "/" }], { basePath: "/" }],
    ["BaseUrl: its path", { global: { BaseUrl: "http://stale:1/gw/" } }, [{ url: "/gw" }], { basePath: "/gw" }],
    [
      "HostOverride: a host",
      { endpoint: { HostOverride: "api.example:8443" } },
      [{ url: "//api.example:8443" }],
      { host: "api.example:8443", basePath: "/" },
    ],
    [
      "HostOverride: a URL",
      { endpoint: { HostOverride: "https://api.example/x" } },
      [{ url: "https://api.example/x" }],
      { host: "api.example", basePath: "/x", schemes: ["https"] },
    ],
    [
      "TakeServersFromDownstreamService",
      { endpoint: { TakeServersFromDownstreamService: true } },
      [{ url: "http://internal/api" }],
      { host: "internal", basePath: "/api", schemes: ["http"] },
    ],
  ];
  test.each(servers)("where the gateway is – %s", async (_, settings, expected, ofTwo) => {
    const document = three(
      { "/a": { get: { responses: {} } } },
      {},
      { servers: [{ url: "http://internal/api", "x-a": 1 }] },
    );
    expect((await narrow(document, settings)).servers).toEqual(expected);
    const two = { swagger: "2.0", info, host: "internal", basePath: "/api", schemes: ["http"], paths: {} };
    const { host, basePath, schemes } = await narrow(two, settings);
    expect({ host, basePath, schemes }).toEqual({ host: undefined, schemes: undefined, ...ofTwo });
  });

  test("an operation of a route for one host says so, and what is there for all hosts goes before it", async () => {
    const routes = [
      { UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/one", UpstreamHost: "one.example" },
      { UpstreamPathTemplate: "/b", DownstreamPathTemplate: "/one", UpstreamHost: "one.example" },
      { UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/all" },
    ];
    const operation = (summary: string): object => ({ get: { summary, responses: {} } });
    const { paths } = await narrow(three({ "/one": operation("one"), "/all": operation("all") }), { routes });
    expect(paths["/a"].get).toMatchObject({ summary: "all" });
    expect(paths["/a"].get.servers).toBeUndefined();
    expect(paths["/b"].get).toMatchObject({ summary: "one", servers: [{ url: "//one.example" }] });
  });

  test("TransformByOcelotConfig: false shows the document as the service writes it", async () => {
    const document = {
      openapi: "3.0.0",
      info,
      paths: { "/internal": { get: { "x-a": 1, responses: { 200: { description: "" } } } } },
    };
    scene.say(document);
    await scene.use(configOf(scene.service, [all], { TransformByOcelotConfig: false }));
    expect((await scene.get("/swagger/docs/v1/shop")).json).toEqual(document);
  });
});

describe("who may call what", () => {
  const schemes = {
    Tokens: { Type: "Jwt", Issuer: "https://login.example", Audience: "shop" },
    Keys: { Type: "ApiKey", Header: "X-Key", Keys: [{ Name: "n", Sha256: "ab".repeat(32) }] },
    Cookies: { Type: "Jwt", Issuer: "https://login.example", Audience: "shop", From: "Cookie:session" },
  };
  const global = { AuthenticationSchemes: schemes, AllowedOrigins: ["https://shop.example"] };
  const options = {
    authentication: {
      Own: Object.assign(() => undefined, { challenge: 'Basic realm="x"', reads: { headers: ["authorization"] } }),
    },
  };
  const locked = (keys: string[], AllowedScopes: string[] = []): object => ({
    ...all,
    AuthenticationOptions: { AuthenticationProviderKeys: keys, AllowedScopes },
  });
  const document = (version: object): object => ({
    ...version,
    info,
    security: [{ Tokens: [] }],
    paths: { "/a": { get: { responses: {} } } },
    components: { securitySchemes: { Tokens: { type: "http", scheme: "bearer", "x-a": 1 }, Other: { type: "http" } } },
    securityDefinitions: { Tokens: { type: "basic" } },
  });
  const bearer = { type: "http", scheme: "bearer" };

  test.each<[what: string, version: string, route: object, security: unknown, schemes: unknown]>([
    ["a token", "3.0.0", locked(["Tokens"], ["read"]), [{ Tokens: [] }], { Tokens: bearer }],
    [
      "one of some scopes",
      "3.1.0",
      locked(["Tokens"], ["a", "b"]),
      [{ Tokens: ["a"] }, { Tokens: ["b"] }],
      { Tokens: bearer },
    ],
    [
      "one of several schemes",
      "3.0.0",
      locked(["Keys", "Cookies", "Own"]),
      [{ Keys: [] }, { Cookies: [] }, { Own: [] }],
      {
        Keys: { type: "apiKey", in: "header", name: "X-Key" },
        Cookies: { type: "apiKey", in: "cookie", name: "session" },
        Own: { type: "http", scheme: "basic" },
      },
    ],
    [
      "what the service asks for, where the gateway asks for nothing",
      "3.0.0",
      all,
      [{ service_Tokens: [] }],
      { service_Tokens: bearer },
    ],
    [
      "the same in 2.0",
      "2.0",
      locked(["Tokens", "Own"]),
      [{ Tokens: [] }, { Own: [] }],
      { Tokens: { type: "apiKey", in: "header", name: "Authorization" }, Own: { type: "basic" } },
    ],
  ])("%s", async (_, version, route, security, expected) => {
    const mark = version === "2.0" ? { swagger: version } : { openapi: version };
    const { paths, components, securityDefinitions } = await narrow(document(mark), {
      routes: [route],
      global,
      options,
    });
    expect(paths["/a"].get.security).toEqual(security);
    expect(securityDefinitions ?? components.securitySchemes).toEqual(expected);
  });
});

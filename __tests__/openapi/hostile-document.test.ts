import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { configOf, documentPath, type Scene, startScene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

// What a document comes to counts, however short it is itself.
const one = "/swagger/docs/v1/shop";
const all = { UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}" };
const info = { title: "t", version: "1" };
const responses = { 200: { description: "" } };

function byNumber<Made>(length: number, make: (index: number) => readonly [string, Made]): Record<string, Made> {
  return Object.fromEntries(Array.from({ length }, (_, index) => make(index)));
}

/** A document with an operation that answers with the schema. */
function answering(schema: object, schemas: object): object {
  const answers = { 200: { description: "", content: { "a/b": { schema } } } };
  return { openapi: "3.0.0", info, paths: { "/a": { get: { responses: answers } } }, components: { schemas } };
}

test("a name of any length is written as a short one at each of its references", async () => {
  const long = "x".repeat(20_000);
  const [toLong, toB] = [{ $ref: `#/components/schemas/${long}` }, { $ref: "#/components/schemas/B" }];
  const properties = { first: toLong, ...byNumber(500, (index) => [`p${index}`, toB]) };
  scene.say(answering({ properties }, { [long]: { type: "object" }, B: toLong }));
  await scene.use(configOf(scene.service, [all]));
  const { status, text } = await scene.get(one);
  expect([status, text.length < 200_000]).toEqual([200, true]);
});

test("names of a scheme are short ones at each operation that asks for it", async () => {
  const long = "x".repeat(20_000);
  const paths = byNumber(500, (index) => [`/${index}`, { get: { responses } }]);
  const components = { securitySchemes: { [long]: { type: "http", scheme: "bearer" } } };
  scene.say({ openapi: "3.0.0", info, paths, components, security: [{ [long]: [] }] });
  await scene.use(configOf(scene.service, [all]));
  const { status, text } = await scene.get(one);
  expect([status, text.length < 200_000]).toEqual([200, true]);
});

test("a document is refused that is short itself, and comes to more than 32 MiB", async () => {
  const name = "x".repeat(200);
  const mapping = byNumber(15_000, (index) => [index.toString(36), "B"]);
  const toLong = { $ref: `#/components/schemas/${name}` };
  const kinds = { oneOf: [toLong], discriminator: { propertyName: "kind", mapping } };
  scene.say(answering({ properties: byNumber(10, (index) => [`p${index}`, kinds]) }, { [name]: {}, B: toLong }));
  await scene.use(configOf(scene.service, [all]));
  const { status, json } = await scene.get(one);
  expect([status, json.detail]).toEqual([502, expect.stringContaining("come to too much")]);
});

test("operations count however long their paths are, and so do paths", async () => {
  const item = { get: { responses } };
  const servers = [{ url: `/${"{v}".repeat(600)}`, variables: { v: { default: "a".repeat(200) } } }];
  const tooMany = byNumber(10_001, (index) => [`/${index}`, item]);
  const empty = byNumber(10_001, (index) => [`/${index}`, {}]);
  for (const [paths, status] of [
    [byNumber(100, (index) => [`/${index}`, item]), 200],
    [tooMany, 502],
    [empty, 502],
  ]) {
    scene.say({ openapi: "3.0.0", info, servers, paths });
    await scene.use(configOf(scene.service, [all]));
    const { status: answered, json } = await scene.get(one);
    expect([answered, json.paths]).toEqual([status, status === 200 ? {} : undefined]);
  }
});

test("a document of very many small values is refused before it is parsed", async () => {
  const text = JSON.stringify({ openapi: "3.0.0", info, paths: {}, x: "MANY" });
  const many = (count: number, item: string): string => `[${`${item},`.repeat(count - 1)}${item}]`;
  for (const [list, fault] of [
    [many(50, many(10_000, "{}")), "more than 500000 values"],
    [many(50_001, "1"), "a list or object in it has more than 50000 members"],
    [`${"[".repeat(200)}${"]".repeat(200)}`, "deeper than 200 levels"],
  ] as const) {
    scene.say(text.replace('"MANY"', list));
    await scene.use(configOf(scene.service, [all]));
    const { status, json } = await scene.get(one);
    expect([status, json.detail]).toEqual([502, expect.stringContaining(fault)]);
  }
});

test("what a service has the document of all repeat counts: parameters that get other names, and servers that stay", async () => {
  const parameter = { name: "key", in: "path", required: true, schema: {}, description: "x".repeat(400_000) };
  const get = { parameters: [{ $ref: "#/components/parameters/Key" }], responses };
  const servers = [{ url: `http://internal/?${"x".repeat(1_900)}` }];
  const documents: Readonly<Record<string, object>> = {
    a: { paths: byNumber(77, (index) => [`/{id}/${index}`, { put: { responses } }]) },
    b: {
      paths: byNumber(77, (index) => [`/{key}/${index}`, { get }]),
      components: { parameters: { Key: parameter } },
    },
    c: { servers, paths: byNumber(1_500, (index) => [`/c/${index}`, { post: { responses } }]) },
  };
  scene.say((req, res) => res.end(JSON.stringify({ openapi: "3.0.0", info, ...documents[req.url!.slice(-1)] })));
  await scene.use(keepingServers(Object.keys(documents)));
  const { status, json } = await scene.get("/swagger/docs/all");
  expect([status, json.info?.description]).toEqual([200, "Not in it: c v1 (all together would be too large)."]);
  expect(Object.values(json.paths as object).map((item: object) => Object.keys(item))).toEqual(
    Array.from({ length: 77 }, () => ["put", "get"]),
  );
});

/** A configuration of services whose servers stay, all of whose operations are at the same paths. */
function keepingServers(names: readonly string[]): object {
  return {
    Routes: names.map((name, index) => ({
      UpstreamPathTemplate: "/{all}",
      UpstreamHttpMethod: [["Put", "Get", "Post"][index]],
      DownstreamPathTemplate: "/{all}",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: scene.service.port }],
      SwaggerKey: name,
    })),
    SwaggerEndPoints: names.map((name) => ({
      Key: name,
      TakeServersFromDownstreamService: true,
      Config: [{ Name: name, Version: "v1", Url: `${scene.service.origin + documentPath}?${name}` }],
    })),
  };
}

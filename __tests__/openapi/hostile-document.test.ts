import { expect, test } from "@jest/globals";
import { configOf } from "./scene.ts";
import { all, answering, byNumber, info, one, responses, scene } from "./short-documents.ts";

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

test.each(["3.0.0", "3.1.0", "2.0"])("an operation that is a reference says nothing, in %s", async (version) => {
  const head = version === "2.0" ? { swagger: version } : { openapi: version };
  const paths = { "/a": { get: { $ref: "#/paths/~1a/post", responses }, post: { responses } } };
  scene.say({ ...head, info, paths });
  await scene.use(configOf(scene.service, [all]));
  const { status, json } = await scene.get(one);
  const silent = { responses: { default: { description: "" } } };
  expect([status, json.paths]).toMatchObject([200, { "/a": { get: silent, post: { responses } } }]);
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { configOf, type Scene, startScene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

// Before they were bounded, each of these took minutes, or all memory there is.
const responses = { 200: { description: "well" } };
const many = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
const schemas = Object.fromEntries(many(40_000, (index) => [String.fromCodePoint(0x4e00 + index), {}]));
const allOf = Object.keys(schemas).map((key) => ({ $ref: `#/components/schemas/${key}` }));
const content = { "application/json": { schema: { allOf } } };
const toB = Object.fromEntries(many(20_000, (index) => [`p${index}`, { $ref: "#/components/schemas/B" }]));
const toLong = { "application/json": { schema: { properties: toB } } };
const laborious: readonly (readonly [what: string, document: object, operations: number])[] = [
  ["a row of slashes", { swagger: "2.0", basePath: `/a${"/".repeat(1_000_000)}b`, paths: { "/a": { get: {} } } }, 0],
  [
    "a long path before each of many",
    {
      swagger: "2.0",
      basePath: "/a".repeat(2_000_000),
      paths: Object.fromEntries(many(100, (index) => [`/${index}`, { get: {} }])),
    },
    0,
  ],
  [
    "one id for all",
    {
      openapi: "3.0.0",
      paths: Object.fromEntries(many(9_000, (index) => [`/${index}`, { get: { operationId: "x".repeat(200) } }])),
    },
    9_000,
  ],
  [
    "names that come to the same",
    {
      openapi: "3.0.0",
      paths: { "/a": { get: { responses: { 200: { ...responses[200], content } } } } },
      components: { schemas },
    },
    1,
  ],
  [
    "many references to one with a name of a million characters",
    {
      openapi: "3.0.0",
      paths: { "/a": { get: { responses: { 200: { ...responses[200], content: toLong } } } } },
      components: {
        schemas: { ["x".repeat(1_000_000)]: {}, B: { $ref: `#/components/schemas/${"x".repeat(1_000_000)}` } },
      },
    },
    1,
  ],
  ["a number of a million digits", { swagger: "2.0", digits: "DIGITS", paths: { "/a": { get: { responses } } } }, 1],
];

test.each(laborious)("a document is read in no time – %s", async (_, document, operations) => {
  await scene.use(configOf(scene.service, [{ UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}" }]));
  scene.say(JSON.stringify(document).replace('"DIGITS"', "9".repeat(1_000_000)));
  const { status, json } = await scene.get("/swagger/docs/v1/shop");
  expect([status, Object.keys(json.paths).length]).toEqual([200, operations]);
});

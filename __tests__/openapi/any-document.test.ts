import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { configOf, configOfTwo, type Scene, startScene } from "./scene.ts";
import { findFaults } from "./validate-document.ts";
import { firstSeed, isLong } from "../fuzz/bounds.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

const numRuns = isLong ? 40 : 5;
const junk = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(null));
const name = fc.constantFrom("A", "B", "a b", "__proto__", "x-a", "List«A»", "A/B", "~");

/** What a place may hold in truth: mostly what belongs there, at times anything. */
function mostly<T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: junk });
}

const kinds = ["schemas", "responses", "parameters", "definitions", "paths", "nowhere"];
const reference = fc.record({
  $ref: fc.oneof(
    fc.tuple(fc.constantFrom(...kinds), name).map(([kind, own]) => {
      const escaped = encodeURIComponent(own.replaceAll("~", "~0").replaceAll("/", "~1"));
      return kind === "definitions" || kind === "paths" ? `#/${kind}/${escaped}` : `#/components/${kind}/${escaped}`;
    }),
    fc.constantFrom("http://elsewhere/x.json", "#", "#/", "A", "./x.yaml#/A", "#/%E0%A4%A"),
  ),
});

const { schema } = fc.letrec((tie) => ({
  schema: mostly(
    fc.oneof(
      { maxDepth: 3 },
      fc.record({ type: fc.constantFrom("string", "array", "object"), "x-a": fc.constant(1) }, { requiredKeys: [] }),
      reference,
      fc.record({
        properties: fc.dictionary(name, tie("schema")),
        allOf: fc.array(tie("schema"), { maxLength: 2 }),
        discriminator: mostly(fc.record({ propertyName: name, mapping: fc.dictionary(name, name) })),
      }),
    ),
  ),
}));

const parameter = mostly(
  fc.oneof(
    reference,
    fc.record(
      {
        name: fc.constantFrom("id", "other", "q"),
        in: fc.constantFrom("path", "query", "header", "cookie", "body", "formData", "nowhere"),
        schema,
        type: fc.constantFrom("string", "array"),
      },
      { requiredKeys: ["name", "in"] },
    ),
  ),
);
const response = mostly(
  fc.oneof(
    reference,
    fc.record({
      description: mostly(fc.string()),
      schema,
      content: fc.dictionary(fc.constant("a/b"), fc.record({ schema })),
    }),
  ),
);
const operation = mostly(
  fc.record(
    {
      operationId: fc.constantFrom("one", "two"),
      tags: mostly(fc.array(name)),
      parameters: mostly(fc.array(parameter, { maxLength: 4 })),
      responses: mostly(fc.dictionary(fc.constantFrom("200", "default", "x", "2XX"), response)),
      security: mostly(fc.array(fc.dictionary(name, mostly(fc.constant([]))))),
      servers: mostly(fc.constant([{ url: "/base" }])),
    },
    { requiredKeys: [] },
  ),
);
const path = fc.constantFrom(
  "/a",
  "/a/{id}",
  "/a/{id}/b",
  "/{id}/{other}",
  "/a/{id}.{q}",
  "/{",
  "a",
  "/a//b",
  "/a?x=1",
);
const item = mostly(
  fc.record({ get: operation, post: operation, parameters: mostly(fc.array(parameter)) }, { requiredKeys: [] }),
);
const sections = {
  schemas: mostly(fc.dictionary(name, schema)),
  parameters: mostly(fc.dictionary(name, parameter)),
  responses: mostly(fc.dictionary(name, response)),
  securitySchemes: mostly(fc.dictionary(name, mostly(fc.constant({ type: "http", scheme: "bearer" })))),
};
const document = fc
  .record({
    mark: fc.constantFrom({ swagger: "2.0" }, { openapi: "3.0.3" }, { openapi: "3.1.0" }),
    info: mostly(fc.record({ title: mostly(fc.string()), version: mostly(fc.string()) })),
    paths: mostly(fc.dictionary(path, item)),
    tags: mostly(fc.array(fc.record({ name }))),
    security: mostly(fc.array(fc.dictionary(name, fc.constant([])))),
    components: mostly(fc.record(sections)),
    definitions: sections.schemas,
    securityDefinitions: sections.securitySchemes,
  })
  .map(({ mark, ...rest }) => ({ ...mark, ...rest }));

const routes = [
  { UpstreamPathTemplate: "/all/{rest}", DownstreamPathTemplate: "/{rest}" },
  { UpstreamPathTemplate: "/o/{x}", DownstreamPathTemplate: "/a/{x}" },
  { UpstreamPathTemplate: "/fixed", DownstreamPathTemplate: "/a/1" },
  { UpstreamPathTemplate: "/by?n={n}", DownstreamPathTemplate: "/a/{n}/b", UpstreamHttpMethod: ["Get"] },
  { UpstreamPathTemplate: "/q/{v}", DownstreamPathTemplate: "/a?q={v}", DownstreamHttpMethod: "Get" },
];

test.each([true, false])(
  "whatever a service writes, the outcome is a document (only what is needed: %s)",
  async (removes) => {
    await fc.assert(
      fc.asyncProperty(document, async (written) => {
        scene.say(written);
        await scene.use(configOf(scene.service, routes, { RemoveUnusedComponentsFromScheme: removes }));
        const { status, json } = await scene.get("/swagger/docs/v1/shop");
        expect([status, status === 200 ? findFaults(json) : json]).toEqual([200, []]);
      }),
      { seed: firstSeed, numRuns },
    );
  },
);

// Both services have operations at the same paths, by different methods.
const reading = (route: object): object => ({ ...route, UpstreamHttpMethod: ["Get"] });
const ownRoutes = [
  { UpstreamPathTemplate: "/all/{rest}", DownstreamPathTemplate: "/{rest}", UpstreamHttpMethod: ["Post"] },
  { UpstreamPathTemplate: "/own/{rest}", DownstreamPathTemplate: "/{rest}" },
];
const threes = document.filter((one) => !("swagger" in one));

test("whatever two services write, what is made of both is a document", async () => {
  await fc.assert(
    fc.asyncProperty(threes, threes, async (one, other) => {
      scene.say((req, res) => res.end(JSON.stringify(req.url?.endsWith("?other") === true ? other : one)));
      await scene.use(configOfTwo(scene.service, routes.map(reading), ownRoutes));
      const { status, json } = await scene.get("/swagger/docs/all");
      expect([status, status === 200 ? findFaults(json) : json]).toEqual([200, []]);
    }),
    { seed: firstSeed, numRuns },
  );
});

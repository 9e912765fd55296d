import { describe, expect, test } from "@jest/globals";
import { configOf, type Parsed } from "./scene.ts";
import { findFaults } from "./validate-document.ts";
import { scene, routes, inPath, ofSchema, many } from "./offering.ts";

const components = {
  schemas: {
    Admin: { allOf: [{ $ref: "#/components/schemas/Inner" }] },
    Inner: { type: "string", enum: ["admin"] },
    Home: { type: "string", enum: ["home"] },
    Circle: { type: "string", anyOf: [{ $ref: "#/components/schemas/Circle" }], default: "home" },
  },
  examples: { Admin: { value: "admin" }, Home: { value: "home" } },
  parameters: {
    Admin: { name: "a", in: "path", required: true, schema: { $ref: "#/components/schemas/Admin" } },
    Home: { name: "a", in: "path", required: true, schema: { $ref: "#/components/schemas/Home" } },
  },
};

type Row = Readonly<{
  what: string;
  path: string;
  /** The first of them is looked at. */
  parameters: readonly object[];
  stays: boolean;
  version?: "2.0" | "3.0.3" | "3.1.0";
}>;

const rows: readonly Row[] = [
  ...[
    { enum: ["home", "admin"] },
    { default: "admin" },
    { example: "ADMIN" },
    { oneOf: [{ type: "string" }, { enum: ["admin"] }] },
    { type: "array", items: { type: "string", enum: ["admin"] } },
    { $ref: "#/components/schemas/Admin" },
  ].map((schema) => ({
    what: `a schema that offers another's: ${JSON.stringify(schema)}`,
    path: "/{a}/users",
    parameters: [ofSchema(schema)],
    stays: false,
  })),
  ...[
    { enum: ["home", "start", 7, true] },
    { default: "home" },
    { example: "7" },
    { type: "string", maxLength: 3 },
    { $ref: "#/components/schemas/Home" },
    { $ref: "#/components/schemas/Circle" },
  ].map((schema) => ({
    what: `a schema that offers the service's own: ${JSON.stringify(schema)}`,
    path: "/{a}/users",
    parameters: [ofSchema(schema)],
    stays: true,
  })),
  ...[{ const: "admin" }, { examples: ["home", "admin"] }, { $ref: "#/components/schemas/Home", default: "admin" }].map(
    (schema) => ({
      what: `a schema of 3.1 that offers another's: ${JSON.stringify(schema)}`,
      path: "/{a}/users",
      parameters: [ofSchema(schema)],
      stays: false,
      version: "3.1.0" as const,
    }),
  ),
  ...["admin", "home"].flatMap((value) =>
    [
      { example: value, schema: {} },
      { examples: { one: { value } }, schema: {} },
      { examples: { one: { $ref: `#/components/examples/${value === "admin" ? "Admin" : "Home"}` } }, schema: {} },
      { content: { "text/plain": { schema: { default: value } } } },
    ].map((more) => ({
      what: `a parameter with an example: ${JSON.stringify(more)}`,
      path: "/{a}/users",
      parameters: [inPath(more)],
      stays: value === "home",
    })),
  ),
  ...["Admin", "Home"].map((name) => ({
    what: `a parameter that stands elsewhere in the document: ${name}`,
    path: "/{a}/users",
    parameters: [{ $ref: `#/components/parameters/${name}` }],
    stays: name === "Home",
  })),
  ...[{ enum: ["admin"] }, { default: "admin" }, { type: "array", items: { type: "string", default: "admin" } }].map(
    (more) => ({
      what: `a parameter of 2.0 that offers another's: ${JSON.stringify(more)}`,
      path: "/{a}/users",
      parameters: [inPath({ type: "string", ...more })],
      stays: false,
      version: "2.0" as const,
    }),
  ),
  {
    what: "a parameter of 2.0 that offers the service's own",
    path: "/{a}/users",
    parameters: [inPath({ type: "string", enum: ["home"] })],
    stays: true,
    version: "2.0",
  },
  {
    what: "a part of a segment",
    path: "/adm{a}/users/9",
    parameters: [ofSchema({ enum: ["in"] })],
    stays: false,
  },
  {
    what: "slashes that a tool leaves as they are",
    path: "/{a}",
    parameters: [ofSchema({ enum: ["admin/users/8"] })],
    stays: false,
  },
  { what: "slashes of the service's own", path: "/{a}", parameters: [ofSchema({ enum: ["docs/8"] })], stays: true },
  {
    what: "two values that together lead elsewhere",
    path: "/{a}/{b}",
    parameters: [ofSchema({ enum: ["c", "a"] }), ofSchema({ enum: ["c", "b"] }, "b")],
    stays: false,
  },
  {
    what: "two values of which each alone would lead elsewhere with others",
    path: "/{a}/{b}",
    parameters: [ofSchema({ enum: ["c", "a"] }), ofSchema({ enum: ["c", "d"] }, "b")],
    stays: true,
  },
  {
    what: "a value that the gateway refuses",
    path: "/{a}/users",
    parameters: [ofSchema({ default: ".." })],
    stays: false,
  },
  { what: "a value that ends a path", path: "/{a}/users", parameters: [ofSchema({ default: "x?y" })], stays: false },
  { what: "no text", path: "/{a}/users", parameters: [ofSchema({ example: ["admin"] })], stays: false },
  {
    what: "an odd style",
    path: "/{a}/users",
    parameters: [inPath({ style: "label", schema: { default: "home" } })],
    stays: false,
  },
  { what: "very many values", path: "/{a}/users", parameters: [ofSchema({ enum: many(400) })], stays: true },
  {
    what: "too many combinations",
    path: "/{a}/{b}",
    parameters: [ofSchema({ enum: many(40) }), ofSchema({ enum: many(40) }, "b")],
    stays: false,
  },
  {
    what: "a parameter of the query at which a route looks",
    path: "/list",
    parameters: [{ name: "kind", in: "query", schema: { enum: ["some", "all"] } }],
    stays: false,
  },
  {
    what: "one of the query at which none looks",
    path: "/list",
    parameters: [{ name: "sort", in: "query", schema: { enum: ["some", "all"] } }],
    stays: true,
  },
  {
    what: "a header at which a route looks",
    path: "/header",
    parameters: [{ name: "x-kind", in: "header", schema: { enum: ["all"] } }],
    stays: false,
  },
];

describe("values that a document offers are left out where they lead to another route", () => {
  test.each(rows)("$what", async ({ path, parameters, stays, version = "3.0.3" }) => {
    const start = version === "2.0" ? { swagger: version } : { openapi: version, components };
    const delivered = { delete: { parameters, responses: { 200: { description: "" } } } };
    scene.say({ ...start, info: { title: "Web", version: "1" }, paths: { [path]: delivered } });
    await scene.use(configOf(scene.service, routes));
    const { json } = await scene.get("/swagger/docs/v1/shop");
    expect(findFaults(json)).toEqual([]);
    const [shown] = json.paths[path].delete.parameters as Parsed[];
    if (stays) expect(shown).toMatchObject(parameters[0]!);
    else {
      const { name, in: place } = { name: "a", in: "path", ...parameters[0] } as Record<string, string>;
      const plain = version === "2.0" ? { type: "string" } : { schema: { type: "string" } };
      expect(shown).toEqual({ name, in: place, required: place === "path", ...plain });
    }
  });
});

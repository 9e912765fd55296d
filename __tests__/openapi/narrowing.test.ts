import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { configOf, type Parsed, type Scene, startScene } from "./scene.ts";
import { findFaults } from "./validate-document.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

type Row = Readonly<{
  what: string;
  /** Paths of the service with methods: `GET /orders/{id}`. */
  operations: readonly string[];
  routes: readonly object[];
  /** What clients can call. */
  expected: readonly string[];
  endpoint?: object;
  document?: object;
}>;

const rows: readonly Row[] = [
  {
    what: "a prefix is another one at the gateway",
    operations: ["GET /api/orders", "GET /api/orders/{id}"],
    routes: [{ UpstreamPathTemplate: "/shop/{everything}", DownstreamPathTemplate: "/api/{everything}" }],
    expected: ["GET /shop/orders", "GET /shop/orders/{id:path}"],
  },
  {
    what: "what no route leads to is not there",
    operations: ["GET /api/orders", "GET /internal/jobs"],
    routes: [{ UpstreamPathTemplate: "/shop/{everything}", DownstreamPathTemplate: "/api/{everything}" }],
    expected: ["GET /shop/orders"],
  },
  {
    what: "methods that no route takes are not there",
    operations: ["GET /orders", "POST /orders", "DELETE /orders/{id}"],
    routes: [{ UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}", UpstreamHttpMethod: ["Get", "Post"] }],
    expected: ["GET /orders", "POST /orders"],
  },
  {
    what: "TRACE is not among all methods",
    operations: ["GET /orders", "TRACE /orders"],
    routes: [{ UpstreamPathTemplate: "/orders", DownstreamPathTemplate: "/orders" }],
    expected: ["GET /orders"],
  },
  {
    what: "a method that the route changes is that of the client",
    operations: ["POST /search"],
    routes: [
      {
        UpstreamPathTemplate: "/find",
        DownstreamPathTemplate: "/search",
        UpstreamHttpMethod: ["Get"],
        DownstreamHttpMethod: "POST",
      },
    ],
    expected: ["GET /find"],
  },
  {
    what: "parameters keep the names of the document, whatever the route calls its placeholders",
    operations: ["GET /orders/{orderId}/lines/{line}"],
    routes: [{ UpstreamPathTemplate: "/o/{a}/{b}", DownstreamPathTemplate: "/orders/{a}/lines/{b}" }],
    expected: ["GET /o/{orderId:path}/{line:path}"],
  },
  {
    what: "placeholders may change their order",
    operations: ["GET /orders/{order}/of/{user}"],
    routes: [{ UpstreamPathTemplate: "/users/{u}/orders/{o}", DownstreamPathTemplate: "/orders/{o}/of/{u}" }],
    expected: ["GET /users/{user:path}/orders/{order:path}"],
  },
  {
    what: "a path that the route fixes has no parameter any more",
    operations: ["GET /orders/{id}"],
    routes: [{ UpstreamPathTemplate: "/latest", DownstreamPathTemplate: "/orders/latest" }],
    expected: ["GET /latest"],
  },
  {
    what: "of several paths that come to one place, the one told most exactly counts",
    operations: ["GET /orders/{id}", "GET /orders/latest"],
    routes: [{ UpstreamPathTemplate: "/latest", DownstreamPathTemplate: "/orders/latest" }],
    expected: ["GET /latest"],
  },
  {
    what: "a placeholder that only the client has becomes a parameter",
    operations: ["GET /orders"],
    routes: [{ UpstreamPathTemplate: "/t/{tenant}/orders", DownstreamPathTemplate: "/orders" }],
    expected: ["GET /t/{tenant:path}/orders"],
  },
  {
    what: "and has another name where the document uses that name",
    operations: ["GET /orders/{tenant}"],
    routes: [{ UpstreamPathTemplate: "/t/{tenant}/orders/{id}", DownstreamPathTemplate: "/orders/{id}" }],
    expected: ["GET /t/{tenant_2:path}/orders/{tenant:path}"],
  },
  {
    what: "a parameter of the path moves to the query, where clients write it",
    operations: ["GET /orders/{id}"],
    routes: [{ UpstreamPathTemplate: "/order?number={n}", DownstreamPathTemplate: "/orders/{n}" }],
    expected: ["GET /order {number:query}"],
  },
  {
    what: "a parameter of the query moves into the path",
    operations: ["GET /orders {status:query} {page:query}"],
    routes: [{ UpstreamPathTemplate: "/orders/in/{s}", DownstreamPathTemplate: "/orders?status={s}" }],
    expected: ["GET /orders/in/{s:path} {page:query}"],
  },
  {
    what: "a header that chooses the route is a parameter",
    operations: ["GET /v2/orders/{id}"],
    routes: [
      {
        UpstreamPathTemplate: "/orders/{id}",
        UpstreamHeaderTemplates: { "X-Version": "{v}", "X-Kind": "new" },
        DownstreamPathTemplate: "/{v}/orders/{id}",
      },
    ],
    expected: ["GET /orders/{id:path} {x-version:header} {x-kind:header}"],
  },
  {
    what: "a route that another one stands before leads nowhere",
    operations: ["GET /a/x", "GET /a/y"],
    routes: [
      { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/other", SwaggerKey: "", Priority: 9 },
      { UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/a/{all}" },
    ],
    expected: ["GET /y"],
  },
  {
    what: "several routes to one operation are several places",
    operations: ["GET /orders"],
    routes: [
      { UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/orders" },
      { UpstreamPathTemplate: "/b", DownstreamPathTemplate: "/orders" },
    ],
    expected: ["GET /a", "GET /b"],
  },
  {
    what: "places that differ by the names of parameters only are one",
    operations: ["GET /orders/{id}", "POST /users/{name}"],
    routes: [
      { UpstreamPathTemplate: "/x/{k}", DownstreamPathTemplate: "/orders/{k}", UpstreamHttpMethod: ["Get"] },
      { UpstreamPathTemplate: "/x/{k}", DownstreamPathTemplate: "/users/{k}", UpstreamHttpMethod: ["Post"] },
    ],
    expected: ["GET /x/{id:path}", "POST /x/{id:path}"],
  },
  {
    what: "a placeholder may be a piece of a segment",
    operations: ["GET /orders/{id}.json", "GET /v3/users"],
    routes: [
      { UpstreamPathTemplate: "/o/{n}", DownstreamPathTemplate: "/orders/{n}.json" },
      { UpstreamPathTemplate: "/u/{major}", DownstreamPathTemplate: "/v{major}/users" },
    ],
    expected: ["GET /o/{id:path}", "GET /u/3"],
  },
  {
    what: "in the document of a version, the placeholder for it is that version",
    operations: ["GET /api/v1/orders", "GET /api/{version}/users"],
    routes: [{ UpstreamPathTemplate: "/{version}/{all}", DownstreamPathTemplate: "/api/{version}/{all}" }],
    expected: ["GET /v1/orders", "GET /v1/users"],
  },
  {
    what: "capitals make no other path, as for most services",
    operations: ["GET /Api/Orders"],
    routes: [{ UpstreamPathTemplate: "/orders", DownstreamPathTemplate: "/api/orders" }],
    expected: ["GET /orders"],
  },
  {
    what: "a route for one host tells of its path, too",
    operations: ["GET /orders"],
    routes: [{ UpstreamPathTemplate: "/o", DownstreamPathTemplate: "/orders", UpstreamHost: "shop.example" }],
    expected: ["GET /o"],
  },
  {
    what: "the path of the service's server belongs to its paths",
    operations: ["GET /orders"],
    document: { servers: [{ url: "http://internal:81/{stage}/", variables: { stage: { default: "api" } } }] },
    routes: [{ UpstreamPathTemplate: "/o", DownstreamPathTemplate: "/api/orders" }],
    expected: ["GET /o"],
  },
  {
    what: "but not where the servers stay as they are",
    operations: ["GET /orders"],
    document: { servers: [{ url: "https://public.example/api" }] },
    routes: [{ UpstreamPathTemplate: "/o", DownstreamPathTemplate: "/orders" }],
    endpoint: { TakeServersFromDownstreamService: true },
    expected: ["GET /o"],
  },
  {
    what: "paths that the gateway refuses are not there: browsers would ask for another one, of another service",
    operations: [
      "DELETE /api/../admin/users/7",
      "DELETE /api/%2e%2E/admin/users/8",
      "DELETE /api/x\\..\\..\\admin/users/9",
      "DELETE /api/x%2f..%2fadmin",
      "DELETE /api/..;v=1/admin",
      "DELETE /api/{id}/.",
      "GET /api/{a}%2{b}/admin",
      "GET /api/a%00b",
      "GET /api/a%c0%ae",
      "GET /api/v1..2/.hidden",
      "GET /api/{id}..",
    ],
    routes: [{ UpstreamPathTemplate: "/shop/{everything}", DownstreamPathTemplate: "/api/{everything}" }],
    expected: ["GET /shop/v1..2/.hidden", "GET /shop/{id:path}.."],
  },
  {
    what: "nor those that lead to a path which the gateway refuses to ask for",
    operations: ["GET /..", "GET /{id}"],
    routes: [{ UpstreamPathTemplate: "/x{rest}", DownstreamPathTemplate: "/{rest}" }],
    expected: ["GET /x{id:path}"],
  },
  {
    what: "routes with another key, or none, do not count",
    operations: ["GET /orders"],
    routes: [
      { UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/orders", SwaggerKey: "users" },
      { UpstreamPathTemplate: "/b", DownstreamPathTemplate: "/orders", SwaggerKey: null },
    ],
    expected: [],
  },
];

const parameterText = /\{([^{}:]+)(?::(\w+))?\}/g;

/** A document with operations, in any version. */
function documentOf(operations: readonly string[], isTwo: boolean): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const written of operations) {
    const [method = "", path = "", ...others] = written.split(" ");
    const own = [...path.matchAll(parameterText)].map(([, name]) => ({ name, in: "path", required: true }));
    const named = others
      .flatMap((text) => [...text.matchAll(parameterText)])
      .map(([, name, place]) => ({ name, in: place }));
    const parameters = [...own, ...named].map((one) =>
      isTwo ? { ...one, type: "string" } : { ...one, schema: { type: "string" } },
    );
    (paths[path] ??= {})[method.toLowerCase()] = { parameters, responses: { 200: { description: "well" } } };
  }
  return { ...(isTwo ? { swagger: "2.0" } : { openapi: "3.0.3" }), info: { title: "Shop", version: "1" }, paths };
}

function operationsOf(document: Parsed): string[] {
  return Object.entries<Parsed>(document.paths).flatMap(([path, item]) =>
    Object.entries<Parsed>(item).map(([method, { parameters = [] }]) => {
      const inPath = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
        return `{${name}:${String(parameters.find((one: Parsed) => one.name === name && one.in === "path")?.in)}}`;
      });
      const others = parameters
        .filter((one: Parsed) => one.in !== "path")
        .map((one: Parsed) => `{${one.name}:${one.in}}`);
      return [method.toUpperCase(), inPath, ...others].join(" ");
    }),
  );
}

describe.each(["2.0", "3.0"])("what clients can call, of a document in OpenAPI %s", (version) => {
  const isTwo = version === "2.0";
  const known = rows.filter(({ document, what }) => !isTwo || (document === undefined && !what.startsWith("TRACE")));

  test.each(known)("$what", async ({ operations, routes, expected, endpoint, document }) => {
    scene.say({ ...documentOf(operations, isTwo), ...document });
    await scene.use(configOf(scene.service, routes, endpoint));
    const { json } = await scene.get("/swagger/docs/v1/shop");
    expect(operationsOf(json)).toEqual(expected);
    expect(findFaults(json)).toEqual([]);
  });
});

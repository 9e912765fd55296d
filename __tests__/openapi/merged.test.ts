import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { makeMerged } from "../../src/openapi-pages/make-merged.ts";
import { engines } from "../helpers/engines.ts";
import { info, placesOf, responses, three } from "./documents-of-services.ts";
import { configOfTwo, type Parsed, type Scene, startScene } from "./scene.ts";
import { findFaults } from "./validate-document.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());
beforeEach(() => void scene.service.requests.splice(0));

const merged = "/swagger/docs/all";
const shopRoute = { UpstreamPathTemplate: "/shop/{all}", DownstreamPathTemplate: "/{all}" };
const otherRoute = { UpstreamPathTemplate: "/other/{all}", DownstreamPathTemplate: "/{all}" };

type Two = Readonly<{ shop: object | number; other: object | number }>;

function sayTwo({ shop, other }: Two): void {
  scene.say((req, res) => {
    const answer = req.url?.endsWith("?shop") === true ? shop : other;
    if (typeof answer === "number") res.writeHead(answer).end();
    else res.end(JSON.stringify(answer));
  });
}

async function merge(two: Two, routes: readonly [object, object] = [shopRoute, otherRoute]): Promise<Parsed> {
  sayTwo(two);
  await scene.use(configOfTwo(scene.service, [routes[0]], [routes[1]]));
  const { status, json, text } = await scene.get(merged);
  if (status !== 200) throw new Error(text);
  expect(findFaults(json)).toEqual([]);
  return json;
}

describe("the merged document", () => {
  test("holds the operations of all, each with the tag of its service, and names of its own", async () => {
    const { paths, components, tags, servers, openapi } = await merge({
      shop: three({ A: { properties: { next: { $ref: "#/components/schemas/A" } } } }),
      other: three({ A: { type: "string" } }),
    });
    expect([openapi, servers]).toEqual(["3.0.3", [{ url: "/" }]]);
    expect(tags).toEqual([
      { name: "shop_v1", description: "Shop v1" },
      { name: "other_v1", description: "Other v1" },
    ]);
    expect(paths).toMatchObject({
      "/shop/a": { get: { operationId: "shop_v1.read", tags: ["shop_v1"] } },
      "/other/a": { get: { operationId: "other_v1.read", tags: ["other_v1"] } },
    });
    expect(components.schemas).toEqual({
      "shop_v1.A": { properties: { next: { $ref: "#/components/schemas/shop_v1.A" } } },
      "other_v1.A": { type: "string" },
    });
  });

  test("what examples hold is no reference", async () => {
    const example = { $ref: "#/components/schemas/A" };
    const { components } = await merge({ shop: three({ A: { example } }), other: 404 });
    expect(components.schemas["shop_v1.A"]).toEqual({ example });
  });

  test.each<[what: string, schema: object, outcome: object]>([
    ["a text that may be missing", { type: "string", nullable: true }, { type: ["string", "null"] }],
    ["one that may not", { type: "string", nullable: false }, { type: "string" }],
    ["a bound that does not belong to it", { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ["a bound that does", { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
    ["a bound that is not there", { exclusiveMaximum: true }, {}],
  ])("beside one of 3.1, schemas of 3.0 are written as there – %s", async (_, schema, outcome) => {
    const { openapi, components } = await merge({
      shop: three({ A: schema }),
      other: three({ A: { type: ["integer", "null"] } }, { openapi: "3.1.0" }),
    });
    expect(openapi).toBe("3.1.0");
    expect(components.schemas).toEqual({ "shop_v1.A": outcome, "other_v1.A": { type: ["integer", "null"] } });
  });

  const kinds = { Cat: { type: "object" }, Dog: { type: "object" } };
  const refs = ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const isA = { allOf: [{ $ref: "#/components/schemas/A" }] };
  const mapping = { Cat: "#/components/schemas/shop_v1.Cat", Dog: "#/components/schemas/shop_v1.Dog" };
  test.each<[what: string, schemas: object, mapping: object]>([
    ["which a schema lists", { A: { oneOf: refs, discriminator: { propertyName: "kind" } }, ...kinds }, mapping],
    ["that name their parent", { A: { discriminator: { propertyName: "kind" } }, Cat: isA, Dog: isA }, mapping],
    [
      "with words of the service",
      { A: { anyOf: refs, discriminator: { propertyName: "kind", mapping: { c: "Cat" } } }, ...kinds },
      { ...mapping, c: mapping.Cat },
    ],
  ])("services go on sending the names of kinds – %s", async (_, schemas, expected) => {
    const { components } = await merge({ shop: three(schemas), other: 404 });
    expect(components.schemas["shop_v1.A"].discriminator.mapping).toEqual(expected);
  });

  test("paths that differ by names only are one, and of operations at one place the first counts", async () => {
    const at = (name: string, methods: readonly string[]): object => ({
      openapi: "3.0.0",
      info,
      paths: {
        [`/a/{${name}}`]: {
          parameters: [{ $ref: "#/components/parameters/P" }],
          ...Object.fromEntries(methods.map((method) => [method, { summary: name, responses }])),
        },
      },
      components: { parameters: { P: { name, in: "path", required: true, schema: { type: "string", format: name } } } },
    });
    const route = { ...shopRoute, UpstreamPathTemplate: "/{all}" };
    const { paths } = await merge({ shop: at("id", ["get", "post"]), other: at("key", ["get", "post"]) }, [
      { ...route, UpstreamHttpMethod: ["Get"] },
      { ...route, UpstreamHttpMethod: ["Post"] },
    ]);
    expect(Object.keys(paths)).toEqual(["/a/{id}"]);
    expect(paths["/a/{id}"]).toMatchObject({ get: { summary: "id" }, post: { summary: "key" } });
    expect(paths["/a/{id}"].post.parameters).toEqual([
      { name: "id", in: "path", required: true, schema: { type: "string", format: "key" } },
    ]);
  });

  test("a scheme of the gateway is one, and those of services are each its own", async () => {
    const secured = three(
      { A: {} },
      { components: { schemas: { A: {} }, securitySchemes: { s: { type: "http", scheme: "basic" } } } },
    );
    const shop = { ...secured, security: [{ s: [] }] };
    const open = await merge({ shop, other: shop });
    expect(Object.keys(open.components.securitySchemes)).toEqual(["shop_v1.service_s", "other_v1.service_s"]);
    expect(open.paths["/other/a"].get.security).toEqual([{ "other_v1.service_s": [] }]);
    const locked = { AuthenticationOptions: { AuthenticationProviderKey: "Own" } };
    sayTwo({ shop, other: shop });
    const config = configOfTwo(scene.service, [{ ...shopRoute, ...locked }], [{ ...otherRoute, ...locked }]);
    await scene.use(config, { authentication: { Own: () => undefined } });
    expect(Object.keys((await scene.get(merged)).json.components.securitySchemes)).toEqual(["Own"]);
  });

  test.each<[what: string, endpoint: object, servers: object[], own: unknown]>([
    ["another host", { HostOverride: "https://api.example" }, [{ url: "/" }], [{ url: "https://api.example" }]],
    ["the same", {}, [{ url: "/" }], undefined],
  ])("operations say where they are, if that is not where most are – %s", async (_, endpoint, servers, own) => {
    sayTwo({ shop: three({ A: {} }), other: three({ A: {} }) });
    const config = configOfTwo(scene.service, [shopRoute], [otherRoute]) as Parsed;
    Object.assign(config.SwaggerEndPoints[1], endpoint);
    await scene.use(config);
    const { json } = await scene.get(merged);
    expect([json.servers, json.paths["/shop/a"].get.servers, json.paths["/other/a"].get.servers]).toEqual([
      servers,
      undefined,
      own,
    ]);
  });

  test("the names of services stay apart, however they are written", async () => {
    sayTwo({ shop: three({ A: {} }), other: three({ A: {} }) });
    const config = JSON.parse(
      JSON.stringify(configOfTwo(scene.service, [shopRoute], [otherRoute]))
        .replaceAll('"shop"', '"a b"')
        .replaceAll('"other"', '"a.b"'),
    );
    await scene.use(config);
    const { json } = await scene.get(merged);
    expect(findFaults(json)).toEqual([]);
    expect(Object.keys(json.components.schemas)).toEqual(["a_b_v1.A", "a_b_v1_2.A"]);
  });

  test("components that are not needed stay where the file says so", async () => {
    sayTwo({ shop: three({ A: {}, B: {} }), other: three({ A: {}, B: {} }) });
    const config = configOfTwo(scene.service, [shopRoute], [otherRoute]) as Parsed;
    config.SwaggerEndPoints[1].RemoveUnusedComponentsFromScheme = false;
    await scene.use(config);
    const names = Object.keys((await scene.get(merged)).json.components.schemas);
    expect(names).toEqual(["shop_v1.A", "other_v1.A", "other_v1.B"]);
  });
});

describe("what is not in the merged document", () => {
  const large = three({ A: { description: "x".repeat(5 * 1_048_576) } });
  const two = { swagger: "2.0", info, paths: {} };
  const asWritten = { TransformByOcelotConfig: false };
  test.each<[what: string, other: object | number, endpoint: object, why: string]>([
    ["a service that fails", 503, {}, "it cannot be had now"],
    ["OpenAPI 2.0", two, {}, "it is of OpenAPI 2.0"],
    ["what is shown as it is written", three({}), asWritten, "it is shown as the service writes it"],
    ["more than 8 MiB of all", large, {}, "all together would be too large"],
  ])("is named there, with the reason – %s", async (_, other, endpoint, why) => {
    sayTwo({ shop: other === large ? large : three({ A: {} }), other });
    const config = configOfTwo(scene.service, [shopRoute], [otherRoute]) as Parsed;
    Object.assign(config.SwaggerEndPoints[1], endpoint);
    await scene.use(config);
    const { json } = await scene.get(merged);
    expect(json.info.description).toBe(`Not in it: Other v1 (${why}).`);
    expect(Object.keys(json.paths)).toEqual(["/shop/a"]);
  });

  test("services that are slow: all together are waited for no longer than so long, and the last ones have their share of it", async () => {
    const places = placesOf(24);
    const bytes = Buffer.from(JSON.stringify(three({ A: {} })));
    const read = ({ key }: { key: string }): Promise<{ bytes: Buffer }> =>
      key === "k23" ? Promise.resolve({ bytes }) : new Promise(() => undefined);
    const document: Parsed = JSON.parse(await makeMerged(places, read, 90));
    expect(Object.keys(document.paths)).toEqual(["/a"]);
    expect(document.info.description.match(/it cannot be had now/g)).toHaveLength(23);
  });

  test("the log says why a service is missing, as clients are not told", async () => {
    sayTwo({ shop: three({ A: {} }), other: 503 });
    const told: object[] = [];
    const ignore = (): void => undefined;
    const warn = (fields: object, message: string): void => void told.push({ ...fields, message });
    const logger = { error: ignore, warn, info: ignore, debug: ignore };
    await scene.use(configOfTwo(scene.service, [shopRoute], [otherRoute]), { logger });
    await scene.get(merged);
    expect(told).toMatchObject([{ document: "docs/v1/other", err: { code: "document-unavailable" } }]);
  });

  test("where nothing is left, there is no document", async () => {
    sayTwo({ shop: 404, other: two });
    await scene.use(configOfTwo(scene.service, [shopRoute], [otherRoute]));
    const { status, json } = await scene.get(merged);
    expect([status, json.code]).toEqual([502, "document-unavailable"]);
    expect(json.detail).toContain("Not in it: Shop v1 (it cannot be had now), Other v1 (it is of OpenAPI 2.0).");
  });

  test("where the configuration names no documents, the path is not taken", async () => {
    await scene.use({ Routes: [] });
    expect((await scene.get(merged)).status).toBe(404);
  });
});

describe.each(engines)("fetching what is merged, with $name", ({ create }) => {
  test("asks each service once, and is made anew after ten seconds", async () => {
    let now = 0;
    sayTwo({ shop: three({ A: {} }), other: 503 });
    await scene.use(configOfTwo(scene.service, [shopRoute], [otherRoute]), { engine: create(), now: () => now });
    await Promise.all([scene.get(merged), scene.get(merged), scene.get("/swagger/docs/v1/shop")]);
    expect(scene.service.requests).toHaveLength(2);
    sayTwo({ shop: three({ A: {} }), other: three({ A: {} }) });
    now = 9_999;
    expect(Object.keys((await scene.get(merged)).json.paths)).toEqual(["/shop/a"]);
    now = 10_000;
    expect(Object.keys((await scene.get(merged)).json.paths)).toEqual(["/shop/a", "/other/a"]);
    expect(scene.service.requests).toHaveLength(3);
  });

  test("asks who each document asks", async () => {
    sayTwo({ shop: three({ A: {} }), other: three({ A: {} }) });
    const locked = { AuthenticationOptions: { AuthenticationProviderKey: "Own" } };
    const config = { ...configOfTwo(scene.service, [shopRoute], [otherRoute]), GlobalConfiguration: locked };
    await scene.use(config, { engine: create(), authentication: { Own: () => undefined } });
    expect((await scene.get(merged)).status).toBe(401);
    expect(scene.service.requests).toEqual([]);
  });
});

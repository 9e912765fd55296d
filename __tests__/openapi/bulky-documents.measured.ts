import { expect, test } from "@jest/globals";
import { configOf, documentPath } from "./scene.ts";
import { all, answering, byNumber, info, one, responses, scene } from "./short-documents.ts";

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

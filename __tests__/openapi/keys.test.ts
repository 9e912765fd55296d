import { expect, test } from "@jest/globals";
import { ConfigError, parseConfig } from "../../src/index.ts";

const route = {
  UpstreamPathTemplate: "/a",
  DownstreamPathTemplate: "/a",
  DownstreamHostAndPorts: [{ Host: "a.local" }],
  SwaggerKey: "shop",
};
const Url = "http://shop.local/openapi.json";

function findProblems(endpoints: unknown, routes: object[] | object = [route]): string[] {
  try {
    const config = { ...(Array.isArray(routes) ? { Routes: routes } : routes), SwaggerEndPoints: endpoints };
    return parseConfig(config, { logger: false }).warnings.map(({ code, path }) => `${code} ${path}`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ code, path }) => `${code} ${path}`);
  }
}

const dynamic = {
  DynamicRoutes: [{ ServiceName: "shop", SwaggerKey: "shop" }],
  GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Consul" } },
};

test.each<[what: string, endpoints: unknown, found: string[], routes?: object[] | object]>([
  ["a document of a dynamic route", [{ Key: "shop", Config: [{ Url }] }], [], dynamic],
  ["a key of a dynamic route without an entry", [], ["swagger-key-unknown DynamicRoutes[0].SwaggerKey"], dynamic],
  ["a document at a URL", [{ Key: "shop", Config: [{ Url }] }], []],
  ["one of a service, where usual paths do", [{ Key: "shop", Config: [{ Service: { Name: "shop" } }] }], []],
  ["what tools write for nothing", [{ Key: "shop", HostOverride: null, Config: [{ Url, Service: null }] }], []],
  ["a key without an entry", [], ["swagger-key-unknown Routes[0].SwaggerKey"]],
  [
    "an entry without a route",
    [{ Key: "shopp", Config: [{ Url }] }],
    ["swagger-key-unknown Routes[0].SwaggerKey", "swagger-key-unused SwaggerEndPoints[0].Key"],
  ],
  ["an entry without a key", [{ Config: [{ Url }] }], ["swagger-key-missing SwaggerEndPoints[0]"], []],
  ["an entry without documents", [{ Key: "shop" }], ["swagger-document-missing SwaggerEndPoints[0]"]],
  [
    "a document that is nowhere",
    [{ Key: "shop", Config: [{ Url: " ", Service: { Path: "/x" } }] }],
    ["swagger-document-missing SwaggerEndPoints[0].Config[0]"],
  ],
  ...["ftp://shop.local/", "shop.local/x", "http://user:password@shop.local/"].map(
    (text): [string, unknown, string[]] => [
      `${text} as a URL`,
      [{ Key: "shop", Config: [{ Url: text }] }],
      ["swagger-url-invalid SwaggerEndPoints[0].Config[0].Url"],
    ],
  ),
  [
    "a path without its slash",
    [{ Key: "shop", Config: [{ Service: { Name: "shop", Path: "swagger.json" } }] }],
    ["swagger-url-invalid SwaggerEndPoints[0].Config[0].Service.Path"],
  ],
  [
    "an address of the gateway that is none",
    [{ Key: "shop", HostOverride: "a b", Config: [{ Url }] }],
    ["swagger-url-invalid SwaggerEndPoints[0].HostOverride"],
  ],
  [
    "a key and a version that are there twice",
    [
      { Key: "shop", Config: [{ Url }, { Url, Version: "v1" }] },
      { Key: "shop", Config: [{ Url }] },
    ],
    ["swagger-repeated SwaggerEndPoints[0].Config[1]", "swagger-repeated SwaggerEndPoints[1].Key"],
  ],
])("%s", (_, endpoints, found, routes = [route]) => {
  expect(findProblems(endpoints, routes).sort()).toEqual(found.map((line) => expect.stringContaining(line)));
});

test("a URL that is refused is not repeated: it may hold a password", () => {
  const config = { Routes: [route], SwaggerEndPoints: [{ Key: "shop", Config: [{ Url: "http://u:geheim@h/" }] }] };
  expect(() => parseConfig(config, { logger: false })).toThrow(/without a password/);
  expect(() => parseConfig(config, { logger: false })).not.toThrow(/geheim/);
});

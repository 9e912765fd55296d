import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { explainRequest } from "../../src/explain/explain-request.ts";
import type { ExplainableRequest } from "../../src/explain/explanation.ts";
import { maskByConfig } from "../../src/explain/mask-by-config.ts";
import { printExplanation } from "../../src/explain/print-explanation.ts";
import { type GatewayConfig, parseConfig } from "../../src/index.ts";
import { runCommand } from "../cli/run-waymark.ts";
import { startGateway, type RunningGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstream: Upstream;
let started: RunningGateway;
let config: GatewayConfig;
const asked: string[] = [];

beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    asked.push(req.url!);
    res.setHeader("content-type", "application/json").end('[{"userId":"a b"}]');
  });
  const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const only = { ...hosts, UpstreamHttpMethod: ["GET", "POST"] };
  const written = {
    Routes: [
      { ...only, Key: "posts", UpstreamPathTemplate: "/posts/{id}", DownstreamPathTemplate: "/v1/posts/{id}" },
      { ...only, Key: "users", UpstreamPathTemplate: "/users/{u}", DownstreamPathTemplate: "/v1/users/{u}?of={u}" },
      {
        ...only,
        Key: "far",
        UpstreamPathTemplate: "/far/{id}",
        DownstreamPathTemplate: "/far/{id}",
        SecurityOptions: { IPAllowedList: ["10.0.0.1"] },
      },
      {
        ...hosts,
        Key: "kept",
        UpstreamPathTemplate: "/kept/{id}",
        DownstreamPathTemplate: "/kept/{id}",
        CacheOptions: { TtlSeconds: 60 },
      },
    ],
    Aggregates: [
      {
        Key: "page",
        UpstreamPathTemplate: "/page/{id}",
        RouteKeys: ["posts", "users"],
        RouteKeysConfig: [{ RouteKey: "users", JsonPath: "$[*].userId", Parameter: "u" }],
      },
      { Key: "shut", UpstreamPathTemplate: "/shut/{id}", RouteKeys: ["posts", "far"] },
      { Key: "one", UpstreamPathTemplate: "/one/{id}", RouteKeys: ["posts"] },
    ],
  };
  config = parseConfig(written, { logger: false });
  started = await startGateway(written);
});

afterAll(async () => {
  await started.close();
  await upstream.close();
});

describe("an explanation of a request to an aggregate", () => {
  test("tells of each part what is asked, as the gateway asks it", async () => {
    const explanation = explainRequest(config, { method: "GET", path: "/page/7?x=1" });
    expect(explanation).toMatchObject({
      outcome: "aggregate",
      route: "page",
      answer: '200 application/json {"posts": <the body of posts>, "users": [<the body of users>, …]}',
      parts: [
        { key: "posts", askedFor: undefined, outcome: "forwarded" },
        { key: "users", askedFor: "each $[*].userId in the answer of posts", outcome: "forwarded" },
      ],
    });
    asked.length = 0;
    await fetch(`${started.origin}/page/7?x=1`);
    const told = explanation.parts!.map(({ forwarded }) =>
      forwarded!.url.replace(`http://127.0.0.1:${upstream.port}`, ""),
    );
    expect(told.map((url) => url.replaceAll("{u}", "a%20b"))).toEqual(asked);
  });

  test.each([
    ["a part that refuses somebody refuses the whole", "/shut/7", "127.0.0.1", 403, "part-failed"],
    ["whoever all parts let in gets an answer", "/shut/7", "10.0.0.1", undefined, undefined],
    ["one part alone is answered as its route is", "/one/7", "127.0.0.1", undefined, undefined],
  ])("%s", (_why, path, address, status, code) => {
    const { refusal } = explainRequest(config, { method: "GET", path, address });
    expect([refusal?.status, refusal?.code]).toEqual([status, code]);
  });

  test("prints its parts, and what a client sends can command no terminal", () => {
    const print = (path: string) =>
      printExplanation(maskByConfig(config, explainRequest(config, { method: "GET", path })));
    expect(print("/page/7")).toContain('Aggregate "page" asks posts, users, and makes one answer of theirs');
    expect(print("/page/7")).toContain('Part "users":\n  asked for each $[*].userId in the answer of posts\n');
    expect(print("/page/\u001b[31mred\u0007")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
  });
});

describe("an explanation tells whether the cache may answer, as it then does", () => {
  const rows: [why: string, request: Partial<ExplainableRequest>, isUsed: boolean, reason: string | undefined][] = [
    ["a plain request", {}, true, undefined],
    ["a request of the head", { method: "HEAD" }, true, undefined],
    ["another method", { method: "DELETE" }, false, "its method is not cached"],
    ["a part of the answer", { headers: { Range: "bytes=0-1" } }, false, "it asks for a part, or names a state"],
    [
      "a method in disguise",
      { headers: { "X-HTTP-Method-Override": "DELETE" } },
      false,
      "a header of it asks for another method",
    ],
    [
      "a request that shows who is asking",
      { headers: { Cookie: "session=s3cr3t" } },
      false,
      "cookie tells who is asking, and answers are not told apart by that, unless Vary of the answer names it",
    ],
  ];

  test.each(rows)("%s", async (why, request, isUsed, reason) => {
    const path = `/kept/${encodeURIComponent(why)}`;
    const { method = "GET", headers = {} } = request;
    const { cache } = explainRequest(config, { method, path, headers });
    expect([cache?.isUsed, cache?.reason]).toEqual([isUsed, reason]);
    expect(JSON.stringify(cache)).not.toContain("s3cr3t");
    const ask = () => fetch(started.origin + path, { method, headers: headers as Record<string, string> });
    await (await ask()).text();
    expect((await ask()).headers.get("cache-status")?.includes("; hit")).toBe(isUsed);
  });

  test("a route that caches nothing says nothing of it", () => {
    expect(explainRequest(config, { method: "GET", path: "/posts/7" }).cache).toBeUndefined();
  });
});

describe("an explanation of a service that no route names", () => {
  const listed = (provider: object) =>
    parseConfig(
      {
        DynamicRoutes: [{ ServiceName: "orders" }],
        GlobalConfiguration: {
          ServiceDiscoveryProvider: { Type: "Consul", Host: "consul.internal", ...provider },
          RateLimitOptions: { Limit: 5, Period: "1m", RouteKeys: [] },
        },
      },
      { logger: false },
    );
  const rows: [why: string, provider: object, path: string, route: string | undefined, message: string | undefined][] =
    [
      ["one that is listed", {}, "/orders/7", "dynamic-orders", undefined],
      [
        "one that is not listed is not reached",
        {},
        "/stock/7",
        undefined,
        'No entry of DynamicRoutes is for the service "stock", and the provider does not say "AllowAnyService": true',
      ],
      [
        "another spelling of one that is listed",
        {},
        "/Orders/7",
        undefined,
        'No entry of DynamicRoutes is for the service "Orders", but one is for "orders", which only the spelling of its entry reaches',
      ],
      [
        "a name below that of one that is listed, in DNS",
        { Type: "Dns" },
        "/_http._tcp.Orders/7",
        undefined,
        'No entry of DynamicRoutes is for the service "_http._tcp.Orders", but one is for "orders", which only the spelling of its entry reaches',
      ],
      [
        "any, where the provider allows it",
        { AllowAnyService: true },
        "/stock/7",
        "dynamic-stock",
        'The registry is asked for the service "stock"; where it knows none, no route takes the request',
      ],
      ["what names no service", { AllowAnyService: true }, "/a%20b/7", undefined, undefined],
      ["what would be another path", { AllowAnyService: true }, "/..%2fadmin/7", undefined, undefined],
    ];

  test.each(rows)("%s", (_why, provider, path, route, message) => {
    const explanation = explainRequest(listed(provider), { method: "GET", path });
    expect([explanation.route, explanation.unlisted?.message]).toEqual([route, message]);
    expect(explanation.policies.map(({ name }) => name)).toEqual(
      route === undefined ? [] : ["rate-limit", "discovery"],
    );
  });
});

test("of several files, explain and routes tell file and line", async () => {
  const folder = await mkdtemp(join(tmpdir(), "waymark-places-"));
  const hosts = `"DownstreamHostAndPorts": [{ "Host": "h" }]`;
  const files = {
    "ocelot.a.json": `{ "Routes": [\n\n{ "Key": "a", "UpstreamPathTemplate": "/a", "DownstreamPathTemplate": "/a", ${hosts} }] }`,
    "ocelot.b.json": `{\n"Routes": [{ "Key": "b", "UpstreamPathTemplate": "/b", "DownstreamPathTemplate": "/b", ${hosts} }],\n"Aggregates": [\n{ "Key": "ab", "UpstreamPathTemplate": "/ab", "RouteKeys": ["a", "b"] }],\n"DynamicRoutes": [\n{ "ServiceName": "stock" }] }`,
    "ocelot.global.json": `{ "GlobalConfiguration": { "ServiceDiscoveryProvider": { "Host": "consul.internal" } } }`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const routes = await runCommand(["routes", "."], { cwd: folder });
  const explained = await runCommand(["explain", ".", "GET", "/ab"], { cwd: folder });
  await rm(folder, { recursive: true });
  const places = [...routes.stdout.matchAll(/^\s+file: (.+)$/gm)].map(([, place]) => place);
  expect(places).toEqual(["ocelot.a.json:3", "ocelot.b.json:2", "ocelot.b.json:4", "ocelot.b.json:6"]);
  expect(explained.stdout).toContain('Aggregate "ab" (ocelot.b.json:4) asks a, b, and makes one answer of theirs');
  expect(explained.stdout).toContain("  ✗ b              /b: path:");
});

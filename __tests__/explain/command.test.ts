import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Ended, runCommand } from "../cli/run-waymark.ts";

const configuration = `{
  "Routes": [
    {
      "Key": "tenant",
      "UpstreamPathTemplate": "/orders/{id}",
      "UpstreamHost": "shop.example",
      "UpstreamHeaderTemplates": { "X-Tenant": "{tenant}" },
      "DownstreamPathTemplate": "/{tenant}/orders/{id}",
      "DownstreamHostAndPorts": [{ "Host": "orders.internal", "Port": 5001 }],
      "Metadata": { "retries": "3" }
    },
    {
      "Key": "everybody",
      "UpstreamPathTemplate": "/orders/{id}",
      "DownstreamPathTemplate": "/{id}",
      "ServiceName": "Shop/Orders_{id}"
    }
  ],
  "GlobalConfiguration": {
    "ServiceDiscoveryProvider": { "Type": "ServiceFabric" },
    "Metadata": { "retries": "1" }
  }
}`;

const rows: [why: string, words: string[], expected: { code: number; stdout?: string; stderr?: string }][] = [
  [
    "everything that decides can be given",
    [
      "get",
      "/orders/a b",
      "--host",
      "shop.example",
      "-H",
      "X-Tenant: blue",
      "--header",
      "X-Other: 1",
      "--mount",
      "/gw",
    ],
    {
      code: 0,
      stdout: `GET /orders/a%20b (host shop.example)
Route "tenant" sends it to http://orders.internal:5001/blue/orders/a%20b

Routes, in the order in which they are tried:
  ✓ tenant     shop.example/orders/{id}: it is the first that fits
  · everybody  /orders/{id}: it fits too, but "tenant" comes first, as it is for this host

Placeholders:
  {id} = "a%20b", decoded "a b", from the path
  {tenant} = "blue", from the header

Who may come in:
  anybody

Sent upstream, unless middleware or a handler changes it:
  GET http://orders.internal:5001/blue/orders/a%20b
  host: orders.internal:5001
  x-tenant: blue
  x-other: 1
  x-forwarded-for: <address of the client>
  x-forwarded-proto: http
  x-forwarded-host: shop.example
  x-forwarded-prefix: /gw

Metadata:
  "retries" = "3", from the route, instead of "1" of GlobalConfiguration
`,
    },
  ],
  [
    "a refusal exits with 1, and tells the rule",
    ["GET", "/orders/a%2Fb"],
    {
      code: 1,
      stdout: `GET /orders/a%2Fb (host localhost)
Route "everybody" takes it, but it is answered 400 (service-name-value)

Routes, in the order in which they are tried:
  ✗ tenant     shop.example/orders/{id}: host: the host is "localhost", the route is for "shop.example"; header: the request has no header "x-tenant"
  ✓ everybody  /orders/{id}: it is the first that fits

Placeholders:
  {id} = "a%2Fb", decoded "a/b", from the path

Who may come in:
  anybody

What else holds:
  found by: the naming service at http://localhost:19081, asked with each request

Refused:
  A part of the path that names a service holds characters that no service name has.
  A value that is filled into ServiceName may hold, raw or decoded once, no / \\ ? # and no control character, and no escape may be left in it; no segment of the filled name may be empty, . or ..; from the third segment on it may hold none of $ + | ~, where the naming service cuts a name. Otherwise a client could choose another service.

Metadata:
  "retries" = "1", from GlobalConfiguration
`,
    },
  ],
  [
    "what no route takes exits with 1",
    ["GET", "/nowhere"],
    {
      code: 1,
      stdout: `GET /nowhere (host localhost)
No route takes it: it goes to the next handler of the app, or is answered 404

Routes, in the order in which they are tried:
  ✗ tenant     shop.example/orders/{id}: path: segment 1 is "nowhere", the template has "orders"
  ✗ everybody  /orders/{id}: path: segment 1 is "nowhere", the template has "orders"
`,
    },
  ],
  [
    "a path that begins with that of the mount is told what to write",
    ["GET", "/gw/orders/7", "--mount", "/gw", "--format", "json"],
    {
      code: 1,
      stdout: expect.stringContaining('"outcome": "no-route"') as unknown as string,
      stderr: "The path is what follows that of --mount: to ask for /gw/orders/7 of the app, write /orders/7.\n",
    },
  ],
  [
    "a path before its method",
    ["/api/orders", "GET"],
    { code: 2, stderr: 'The method stands before the path: GET /api/orders, received "/api/orders" as the method.\n' },
  ],
  [
    "two paths",
    ["/api", "/orders"],
    { code: 2, stderr: 'The method stands before the path, received "/api" as the method.\n' },
  ],
  [
    "a header without a colon",
    ["GET", "/", "--header", "X-Tenant"],
    { code: 2, stderr: '--header is "name: value", received "X-Tenant".\n' },
  ],
  [
    "a path without a slash",
    ["GET", "orders"],
    { code: 2, stderr: 'The path begins with a slash, received "orders".\n' },
  ],
];

describe("waymark explain", () => {
  let cwd: string;
  let ends: readonly Ended[];
  let json: Ended;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), "waymark-explain-"));
    await writeFile(join(cwd, "gateway.json"), configuration);
    ends = await Promise.all(rows.map(([, words]) => runCommand(["explain", "gateway.json", ...words], { cwd })));
    json = await runCommand(["explain", "gateway.json", "GET", "/orders/7", "--format", "json"], { cwd });
  });
  afterAll(() => rm(cwd, { recursive: true }));

  test.each(rows.map(([why], index) => [why, index] as const))("%s", (_why, index) => {
    expect(ends[index]).toEqual({ stdout: "", stderr: "", ...rows[index]![2] });
  });

  test("as JSON it is the whole explanation", () => {
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      0,
      {
        request: { method: "GET", path: "/orders/7", host: "localhost" },
        outcome: "forwarded",
        route: "everybody",
        routes: [
          { id: "tenant", index: 0, verdict: "does-not-match" },
          { id: "everybody", index: 1, verdict: "takes" },
        ],
        placeholders: [{ name: "id", value: "7", decoded: "7", from: "path" }],
        forwarded: { method: "GET", url: "http://localhost:19081/Shop/Orders_7/7" },
        metadata: [{ key: "retries", value: "1", from: "global" }],
      },
    ]);
  });
});

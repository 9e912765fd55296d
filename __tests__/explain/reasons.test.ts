import { describe, expect, test } from "@jest/globals";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { printExplanation } from "../../src/explain/print-explanation.ts";
import { parseConfig } from "../../src/index.ts";

type Row = [
  reason: string,
  route: object,
  asked: { method?: string; path: string; host?: string; headers?: Record<string, string> },
  expected: string,
];

const rows: readonly Row[] = [
  [
    "a literal segment",
    { UpstreamPathTemplate: "/a/b" },
    { path: "/a/c" },
    'path: segment 2 is "c", the template has "b"',
  ],
  [
    "a case that counts",
    { UpstreamPathTemplate: "/a/B", RouteIsCaseSensitive: true },
    { path: "/a/b" },
    'path: segment 2 is "b", the template has "B"; only the case differs, and RouteIsCaseSensitive is true',
  ],
  [
    "a path that ends too early",
    { UpstreamPathTemplate: "/a/{x}/c" },
    { path: "/a/b" },
    'path: the path ends before segment 3, which is "c" in the template',
  ],
  [
    "a path that goes on",
    { UpstreamPathTemplate: "/a" },
    { path: "/a/b/c" },
    'path: the path goes on with "/b/c" where the template ends',
  ],
  [
    "a path that goes on behind a slash",
    { UpstreamPathTemplate: "/a/" },
    { path: "/a/b" },
    'path: the path goes on with "/b" where the template ends',
  ],
  [
    "a slash too many",
    { UpstreamPathTemplate: "/a" },
    { path: "/a/" },
    "path: the path ends in a slash, the template does not",
  ],
  [
    "an empty segment",
    { UpstreamPathTemplate: "/a/{x}/c" },
    { path: "/a//c" },
    'path: segment 2 is empty, the template has "{x}"',
  ],
  [
    "a segment of literal and placeholder",
    { UpstreamPathTemplate: "/a/v{x}/c" },
    { path: "/a/1/c" },
    'path: segment 2 is "1", the template has "v{x}"',
  ],
  [
    "a last segment of literal and placeholder",
    { UpstreamPathTemplate: "/a/v{x}" },
    { path: "/a/1/2" },
    'path: segment 2 is "1/2", the template has "v{x}"',
  ],
  [
    "a missing last segment of literal and placeholder",
    { UpstreamPathTemplate: "/a/v{x}" },
    { path: "/a" },
    'path: the path ends before segment 2, which is "v{x}" in the template',
  ],
  [
    "a method",
    { UpstreamHttpMethod: ["Get", " put"] },
    { method: "POST", path: "/a" },
    "method: the method is POST, the route takes GET, PUT",
  ],
  [
    "a method that must be named",
    {},
    { method: "TRACE", path: "/a" },
    "method: TRACE must be named in UpstreamHttpMethod, and the route names no method",
  ],
  [
    "a host",
    { UpstreamHost: "shop.test" },
    { path: "/a", host: "other.test:81" },
    'host: the host is "other.test:81", the route is for "shop.test"',
  ],
  [
    "a parameter that is missing",
    { UpstreamPathTemplate: "/a?id=7" },
    { path: "/a?x" },
    'query: the query has no parameter "id"',
  ],
  [
    "a parameter of another value",
    { UpstreamPathTemplate: "/a?id=v{x}" },
    { path: "/a?id=7" },
    'query: the query\'s "id" does not fit "***{x}"',
  ],
  [
    "a header that is missing",
    { UpstreamHeaderTemplates: { "X-Team": "{t}" } },
    { path: "/a" },
    'header: the request has no header "x-team"',
  ],
  [
    "a header of another value",
    { UpstreamHeaderTemplates: { "X-Team": "blue" } },
    { path: "/a", headers: { "x-team": "red" } },
    'header: the header "x-team" does not fit "***"',
  ],
  [
    "several things at once",
    { UpstreamHttpMethod: ["Put"], UpstreamHost: "shop.test" },
    { path: "/a" },
    'host: the host is "localhost", the route is for "shop.test"; method: the method is GET, the route takes PUT',
  ],
  ["a target without a path", {}, { path: "*" }, "target: the request names no path"],
];

const base = {
  UpstreamPathTemplate: "/a",
  DownstreamPathTemplate: "/",
  DownstreamHostAndPorts: [{ Host: "localhost", Port: 1 }],
};

describe("a route that does not match says why:", () => {
  test.each(rows)("%s", (_reason, route, { method = "GET", ...asked }, expected) => {
    const config = parseConfig({ Routes: [{ ...base, ...route }] }, { logger: false });
    const { outcome, routes } = explainRequest(config, { method, ...asked });
    const told = routes[0]!.reasons.map(({ aspect, message }) => `${aspect}: ${message}`).join("; ");
    expect([outcome, told]).toEqual(["no-route", expected]);
  });
});

describe("the order of routes", () => {
  const config = parseConfig(
    {
      Routes: [
        { ...base, Key: "all", UpstreamPathTemplate: "/{all}", Priority: 9 },
        { ...base, Key: "low", UpstreamPathTemplate: "/a/", Priority: 0 },
        { ...base, Key: "plain" },
        { ...base, Key: "high", UpstreamPathTemplate: "/a/{x}", Priority: 5 },
        { ...base, Key: "host", UpstreamHost: "shop.test", Priority: 0 },
      ],
    },
    { logger: false },
  );

  test("is that of matching, and tells which route comes first", () => {
    const { routes } = explainRequest(config, { method: "GET", path: "/a", host: "shop.test" });
    expect(routes.map(({ id, priority, verdict, reasons }) => [id, priority, verdict, reasons[0]!.message])).toEqual([
      ["host", 0, "takes", "it is the first that fits"],
      ["high", 5, "passed-by", 'it fits too, but "host" comes first, as it is for this host'],
      ["plain", 1, "passed-by", 'it fits too, but "host" comes first, as it is for this host'],
      ["all", 0, "passed-by", 'it fits too, but "host" comes first, as it is for this host'],
      ["low", 0, "passed-by", 'it fits too, but "host" comes first, as it is for this host'],
    ]);
    expect(explainRequest(config, { method: "GET", path: "/b" }).route).toBe("all");
  });
});

describe("a WebSocket", () => {
  const config = parseConfig(
    { Routes: [{ ...base, DownstreamScheme: "ws", AllowedOrigins: ["https://shop.example"] }] },
    { logger: false },
  );
  const headers = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" };
  const rows: [reason: string, headers: Record<string, string>, expected: object][] = [
    [
      "is opened",
      headers,
      {
        outcome: "websocket",
        forwarded: { url: "http://localhost:1/", headers: { upgrade: "websocket", connection: "Upgrade" } },
      },
    ],
    [
      "is refused to other pages",
      { ...headers, Origin: "https://evil.example" },
      { outcome: "refused", refusal: { code: "origin-refused" } },
    ],
    [
      "is refused without its key",
      { Upgrade: "websocket" },
      { outcome: "refused", refusal: { code: "request-ill-formed" } },
    ],
    ["is none without Upgrade", {}, { outcome: "forwarded" }],
  ];

  test.each(rows)("%s", (_reason, given, expected) => {
    expect(explainRequest(config, { method: "GET", path: "/a", headers: given })).toMatchObject(expected);
  });
});

test("several hosts are named, with how they take turns", () => {
  const route = {
    ...base,
    DownstreamHostAndPorts: [{ Host: "a" }, { Host: "b", Port: 81 }],
    LoadBalancerOptions: { Type: "RoundRobin" },
  };
  const config = parseConfig({ Routes: [route] }, { logger: false });
  expect(explainRequest(config, { method: "GET", path: "/a" }).forwarded).toMatchObject({
    url: "http://a/",
    otherOrigins: ["http://b:81"],
    balancer: "RoundRobin",
  });
});

test("more routes than a function takes arguments are printed", () => {
  const explanation = explainRequest(parseConfig({ Routes: [base] }, { logger: false }), { method: "GET", path: "/a" });
  const routes = Array.from({ length: 150_000 }, () => explanation.routes[0]!);
  expect(printExplanation({ ...explanation, routes }).split("\n").length).toBeGreaterThan(routes.length);
});

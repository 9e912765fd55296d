import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createExplain, type Explain } from "../../src/explain/explain-request.ts";
import { createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

type Asked = Readonly<{ method?: string; path: string; headers?: Record<string, string | string[]>; body?: string }>;

const given = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

const rows: readonly [reason: string, asked: Asked][] = [
  ["a plain request", { path: "/plain/a%2Fb?x=1&x=2" }],
  [
    "hop-by-hop headers go, and what Connection names",
    {
      path: "/plain/a",
      headers: { "X-Own": "1", "Keep-Alive": "5", Te: "trailers", "X-Hop": "2", Connection: "x-hop" },
    },
  ],
  [
    "what only a proxy may say goes",
    {
      path: "/plain/a",
      headers: {
        Forwarded: "for=1.2.3.4",
        "X-Forwarded-For": "1.2.3.4",
        "X-Forwarded-Prefix": "/evil",
        "X-Real-IP": "1.2.3.4",
      },
    },
  ],
  ["repeated headers are joined", { path: "/plain/a", headers: { "X-List": ["a", "b"], Cookie: ["a=1", "b=2"] } }],
  ["a method without a body says so", { method: "POST", path: "/plain/a" }],
  ["a length is kept", { method: "PUT", path: "/plain/a", headers: { "Content-Length": "2" }, body: "ok" }],
  ["another method downstream", { method: "POST", path: "/renamed" }],
  ["a request id of the client", { path: "/tracked", headers: { "X-Request-Id": given } }],
  ["a request id that is made", { path: "/tracked" }],
  ["a query that is put together", { path: "/search?q=a%20b&page=2" }],
  ["a header placeholder", { path: "/profile", headers: { "X-Tenant": "a/b c" } }],
  ["a service by name", { path: "/services/Orders/list/all?PartitionKind=Named" }],
  ["a value that would leave its segment of the service name", { path: "/services/a%2Fb/list" }],
  ["a parameter that would choose another service", { path: "/services/Orders/list?ServiceName=Other" }],
  ["a parameter that the route does not let through", { path: "/services/Orders/list?ListenerName=x" }],
  ["a dot segment", { path: "/plain/..%2Fadmin" }],
  ["an ill-formed escape", { path: "/plain/%zz" }],
  ["a control character", { path: "/plain/%00" }],
  ["a raw number sign", { path: "/plain/a#b" }],
  ["an ill-formed host", { path: "/plain/a", headers: { Host: "a b" } }],
  ["a header placeholder that leads to a dot segment", { path: "/profile", headers: { "X-Tenant": ".." } }],
  ["a body that is too long", { method: "POST", path: "/small", headers: { "Content-Length": "3" }, body: "abc" }],
  ["a path that is too long", { path: `/short/${"x".repeat(40)}` }],
  ["header fields that are too large", { path: "/narrow", headers: { "X-Long": "x".repeat(300) } }],
  ["nothing that matches", { path: "/nowhere" }],
];

describe("an explanation tells what a real gateway does with", () => {
  let upstream: Upstream;
  let running: RunningGateway;
  let explain: Explain;

  beforeAll(async () => {
    upstream = await startUpstream();
    const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const config = {
      Routes: [
        { UpstreamPathTemplate: "/plain/{x}", DownstreamPathTemplate: "/p/{x}", ...hosts },
        { UpstreamPathTemplate: "/renamed", DownstreamPathTemplate: "/r", DownstreamHttpMethod: "Patch", ...hosts },
        { UpstreamPathTemplate: "/tracked", DownstreamPathTemplate: "/t", RequestIdKey: "X-Request-Id", ...hosts },
        { UpstreamPathTemplate: "/search?q={q}", DownstreamPathTemplate: "/find?text={q}&from=gateway", ...hosts },
        {
          UpstreamPathTemplate: "/profile",
          UpstreamHeaderTemplates: { "X-Tenant": "{tenant}" },
          DownstreamPathTemplate: "/tenants/{tenant}/profile",
          ...hosts,
        },
        {
          UpstreamPathTemplate: "/services/{name}/{rest}",
          DownstreamPathTemplate: "/{rest}",
          ServiceName: "App/{name}",
          ClientParameters: ["PartitionKind"],
        },
        { UpstreamPathTemplate: "/small", DownstreamPathTemplate: "/s", Limits: { Body: 2 }, ...hosts },
        { UpstreamPathTemplate: "/short/{x}", DownstreamPathTemplate: "/s", Limits: { Url: 20 }, ...hosts },
        { UpstreamPathTemplate: "/narrow", DownstreamPathTemplate: "/s", Limits: { Header: 200 }, ...hosts },
      ],
      GlobalConfiguration: {
        ServiceDiscoveryProvider: { Type: "ServiceCluster", Host: "127.0.0.1", Port: upstream.port },
      },
    };
    const gateway = createGateway(parseConfig(config, { logger: false }), { via: true, logger: false });
    running = await serve(gateway, gateway);
    explain = createExplain(parseConfig(config, { logger: false }), { via: true });
  });
  afterAll(() => Promise.all([running.close(), upstream.close()]));

  test.each(rows)("%s", async (_reason, asked) => {
    const { method = "GET", path, body } = asked;
    const headers = { Host: "gateway.test", Connection: "close", ...asked.headers };
    const before = upstream.requests.length;
    const answer = await request({
      port: running.port,
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const { outcome, refusal, forwarded, route } = explain({ method, path, host: headers.Host, headers });
    const arrived = upstream.requests.slice(before);

    if (outcome === "no-route" || outcome === "refused") {
      const { code, detail } = JSON.parse(answer.body.toString());
      const expected = refusal ?? { status: 404, code: "no-route", message: "No route matches the request." };
      expect({ status: answer.status, code, message: detail, rule: refusal?.rule, arrived }).toEqual({
        rule: undefined,
        ...expected,
        arrived: [],
      });
      expect(route === undefined).toBe(outcome === "no-route");
      if (refusal !== undefined) expect(refusal.rule).toMatch(/^[A-Z].{40,}\.$/);
      return;
    }
    const [{ method: sentMethod, target, headers: sentHeaders }] = arrived as [(typeof arrived)[0]];
    const expected: Record<string, unknown> = { ...forwarded!.headers, "x-forwarded-for": "127.0.0.1" };
    if (expected["x-request-id"] === "<a new UUID>") expected["x-request-id"] = expect.stringMatching(/^[\da-f-]{36}$/);
    delete sentHeaders.connection;
    expect({ method: sentMethod, url: upstream.origin + target, headers: { ...sentHeaders } }).toEqual({
      method: forwarded!.method,
      url: forwarded!.url,
      headers: expected,
    });
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { listRoutes } from "../../src/explain/list-routes.ts";
import { maskByConfig } from "../../src/explain/mask-by-config.ts";
import { globalSection } from "../../src/config/sections.ts";
import { printExplanation } from "../../src/explain/print-explanation.ts";
import { type GatewayConfig, parseConfig } from "../../src/index.ts";

const schema = JSON.parse(readFileSync(new URL("../../schema.json", import.meta.url), "utf8")) as {
  definitions: Readonly<Record<string, { properties: object }>>;
};

const secret = "s3cr3t";
const base = { UpstreamPathTemplate: "/a/{x}", DownstreamPathTemplate: "/{x}" };
const hosts = { DownstreamHostAndPorts: [{ Host: "one.internal", Weight: 3 }, { Host: "two.internal" }] };
const locked = { AuthenticationOptions: { AuthenticationProviderKeys: ["Bearer"] } };
const consul = {
  ServiceDiscoveryProvider: { Type: "Consul", Host: "consul.internal", Token: secret },
  Providers: { other: { Type: "Dns", Host: "10.0.0.2", PollingInterval: 9_000 } },
};

type Row = Readonly<{ route: object; global?: object; root?: object; told: readonly string[] }>;

/** What an explanation says of a route for each key, and nothing of it may be a secret. */
const rows: Readonly<Record<string, Row>> = {
  Key: { route: { Key: "name" }, told: ['Route "name"'] },
  UpstreamPathTemplate: { route: {}, told: ["/a/{x}"] },
  UpstreamHttpMethod: { route: { UpstreamHttpMethod: ["GET"] }, told: ["GET /a/{x}"] },
  UpstreamHost: { route: { UpstreamHost: "shop.example" }, told: ["shop.example/a/{x}"] },
  UpstreamHeaderTemplates: { route: { UpstreamHeaderTemplates: { "X-Team": "{t}" } }, told: ['{t} = "blue"'] },
  RouteIsCaseSensitive: { route: { RouteIsCaseSensitive: true }, told: ["/a/{x}"] },
  Priority: { route: { Priority: 7 }, told: ["(priority 7)"] },
  DownstreamPathTemplate: { route: { DownstreamPathTemplate: "/v2/{x}" }, told: ["/v2/1"] },
  DownstreamScheme: { route: { DownstreamScheme: "https" }, told: ["https://one.internal/1"] },
  DownstreamHostAndPorts: { route: {}, told: ["the first, and the next only where one refuses", "weighing 3 to 1"] },
  DownstreamHttpVersion: { route: { DownstreamHttpVersion: "1.1" }, told: ["1.1"] },
  DownstreamHttpVersionPolicy: {
    route: { DownstreamHttpVersionPolicy: "RequestVersionOrLower" },
    told: ["RequestVersionOrLower"],
  },
  DownstreamHttpMethod: { route: { DownstreamHttpMethod: "PUT" }, told: ["PUT http://one.internal/1"] },
  ServiceName: {
    route: { ServiceName: "orders", DownstreamHostAndPorts: undefined },
    global: consul,
    told: [
      "found by: Consul at http://consul.internal:8500, which tells what changes, asked for orders",
      "with a token",
    ],
  },
  ServiceNamespace: {
    route: { ServiceName: "orders", ServiceNamespace: "shop", DownstreamHostAndPorts: undefined },
    global: consul,
    told: ["asked for shop.orders"],
  },
  ServiceProvider: {
    route: { ServiceName: "orders", ServiceProvider: "other", DownstreamHostAndPorts: undefined },
    global: consul,
    told: ["found by: DNS by the server 10.0.0.2:53, every 9 s, asked for orders"],
  },
  ClientParameters: {
    route: { ClientParameters: ["PartitionKey"], ServiceName: "A/B", DownstreamHostAndPorts: undefined },
    global: { ServiceDiscoveryProvider: { Type: "ServiceCluster" } },
    told: ["ClientParameters: PartitionKey", "found by: the naming service at http://localhost:19081"],
  },
  LoadBalancerOptions: {
    route: { LoadBalancerOptions: { Type: "CookieStickySessions", Key: "shop", Expiry: 60_000 } },
    global: { StickyKey: secret },
    told: [
      "each client stays at its own",
      "by the cookie shop.host, for 60 s without a request, marked with StickyKey",
    ],
  },
  QoSOptions: {
    route: { QoSOptions: { MinimumThroughput: 3, BreakDuration: 2_000, Timeout: 500 } },
    global: { TimeoutStatus: 503 },
    told: [
      "failing hosts: 3 failures in a row, then left alone for 2 s",
      "time limit: 0.5 s until an answer begins, else 503",
    ],
  },
  HealthCheck: {
    route: { HealthCheck: { Path: "/up", Interval: 5 } },
    told: ["checked: /up every 5 s", "down after 3"],
  },
  Timeout: { route: { Timeout: 7 }, told: ["time limit: 7 s until an answer begins, else 504"] },
  Retry: {
    route: { Retry: { Count: 2, Budget: 0.1 } },
    told: ["sent again: 2 times at most, without an answer or at 502, 503, 504", "at most 10 % of the requests"],
  },
  HttpHandlerOptions: {
    route: {
      HttpHandlerOptions: { AllowAutoRedirect: true, MaxConnectionsPerServer: 4, PooledConnectionLifetimeSeconds: 9 },
    },
    told: ["redirects on the same origin are followed, at most 4 to each host, none is used for longer than 9 s"],
  },
  RequestIdKey: { route: { RequestIdKey: "X-Id" }, told: ["x-id: <a new UUID>"] },
  SecurityOptions: {
    route: { SecurityOptions: { IPAllowedList: ["10.0.0.0/8"] } },
    told: ["anybody, only from 10.0.0.0/8"],
  },
  RateLimitOptions: {
    route: { RateLimitOptions: { Limit: 5, Period: "1m", ClientWhitelist: [secret], OnStoreFailure: "Refuse" } },
    global: { Redis: { Url: `redis://:${secret}@redis.internal:6380`, Prefix: "shop" } },
    told: [
      "how often: 5 per 1m for each Oc-Client",
      "1 client of ClientWhitelist may ask as often as they like",
      "counted in Redis at redis.internal:6380, under names that begin with shop",
      "while that is away: answered 503 (limit-unavailable)",
    ],
  },
  AuthenticationOptions: {
    route: { AuthenticationOptions: { AuthenticationProviderKeys: ["Bearer"], AllowedScopes: ["read"] } },
    told: ["Bearer, scope read"],
  },
  RouteClaimsRequirement: {
    route: { ...locked, RouteClaimsRequirement: { plan: secret } },
    told: ["Bearer, claim plan"],
  },
  AddClaimsToRequest: {
    route: { ...locked, AddClaimsToRequest: { user: "Claims[sub] > value" } },
    told: ["claim user from the claim sub"],
  },
  AddHeadersToRequest: {
    route: { ...locked, AddHeadersToRequest: { "X-User": "Claims[sub] > value" } },
    told: ["x-user: <the claim sub>"],
  },
  AddQueriesToRequest: {
    route: { ...locked, AddQueriesToRequest: { u: "Claims[sub] > value" } },
    told: ["parameter u from the claim sub"],
  },
  ChangeDownstreamPathTemplate: {
    route: { ...locked, DownstreamPathTemplate: "/{u}", ChangeDownstreamPathTemplate: { u: "Claims[sub] > value" } },
    told: ["{u} from the claim sub"],
  },
  UpstreamHeaderTransform: {
    route: { UpstreamHeaderTransform: { "X-Client": "{RemoteIpAddress}", "X-Upstream": `Bearer ${secret}` } },
    told: ["x-client: <address of the client>", "x-upstream: ***"],
  },
  DownstreamHeaderTransform: {
    route: { DownstreamHeaderTransform: { Server: { Remove: true }, "X-Backend": `https://u:${secret}@b/` } },
    told: ["server: removed", "x-backend: ***, unless"],
  },
  CacheOptions: {
    route: { CacheOptions: { TtlSeconds: 30, Region: "shop" } },
    told: ['cached: 30 s, region "shop"', "answers up to 1048576 bytes", "kept in memory"],
  },
  DelegatingHandlers: { route: { DelegatingHandlers: ["sign", "tell"] }, told: ["handlers: sign, tell"] },
  Limits: {
    route: { Limits: { Body: 1_000 } },
    global: { Limits: { Url: 200 } },
    told: ["Limits: Url 200, Body 1000"],
  },
  AllowUpgrade: { route: { AllowUpgrade: true }, told: ["AllowUpgrade: true"] },
  AllowedOrigins: {
    route: { AllowUpgrade: true },
    global: { AllowedOrigins: ["https://a.example"] },
    told: ["AllowedOrigins: https://a.example"],
  },
  Tls: {
    route: { Tls: { Ca: "ca.pem", ServerName: "orders" }, DownstreamScheme: "https" },
    told: ["Tls: Ca ca.pem, ServerName orders"],
  },
  DangerousAcceptAnyServerCertificateValidator: {
    route: { DangerousAcceptAnyServerCertificateValidator: true, DownstreamScheme: "https" },
    told: ["DangerousAcceptAnyServerCertificateValidator: true"],
  },
  Metadata: {
    route: { Metadata: { team: "blue", apiToken: secret } },
    told: ['"team" = "blue"', '"apiToken" = "***"'],
  },
  SwaggerKey: {
    route: { SwaggerKey: "docs" },
    root: {
      SwaggerEndPoints: [
        { Key: "docs", Config: [{ Name: "Docs", Version: "v1", Url: "http://one.internal/v1.json" }] },
      ],
    },
    told: ["SwaggerKey: docs"],
  },
  Extensions: { route: { Extensions: { note: secret } }, told: [] },
};

/** What is told of each key that may also stand in `GlobalConfiguration`, where it stands only there. */
const globalRows: Readonly<Record<string, Row>> = {
  DownstreamScheme: { global: { DownstreamScheme: "https" }, route: {}, told: ["https://one.internal/1"] },
  SecurityOptions: {
    global: { SecurityOptions: { IPAllowedList: ["10.0.0.0/8"] } },
    route: {},
    told: ["anybody, only from 10.0.0.0/8"],
  },
  RateLimitOptions: {
    global: { RateLimitOptions: { Limit: 5, Period: "1m" } },
    route: {},
    told: ["how often: 5 per 1m for each Oc-Client"],
  },
  AuthenticationOptions: { global: locked, route: {}, told: ["Bearer"] },
  UpstreamHeaderTransform: {
    global: { UpstreamHeaderTransform: { "X-Client": "{RemoteIpAddress}" } },
    route: {},
    told: ["x-client: <address of the client>"],
  },
  DownstreamHeaderTransform: {
    global: { DownstreamHeaderTransform: { Server: { Remove: true } } },
    route: {},
    told: ["server: removed"],
  },
  CacheOptions: { global: { CacheOptions: { TtlSeconds: 30 } }, route: {}, told: ["cached: 30 s"] },
  LoadBalancerOptions: {
    global: { LoadBalancerOptions: { Type: "CookieStickySessions", Key: "shop" }, StickyKey: secret },
    route: {},
    told: ["by the cookie shop.host"],
  },
  QoSOptions: {
    global: { QoSOptions: { MinimumThroughput: 3, Timeout: 500 } },
    route: {},
    told: ["failing hosts: 3 failures in a row", "time limit: 0.5 s until an answer begins, else 504"],
  },
  Timeout: { global: { Timeout: 7 }, route: {}, told: ["time limit: 7 s until an answer begins, else 504"] },
  DownstreamHttpVersion: { global: { DownstreamHttpVersion: "1.1" }, route: {}, told: ["DownstreamHttpVersion: 1.1"] },
  DownstreamHttpVersionPolicy: {
    global: { DownstreamHttpVersionPolicy: "RequestVersionOrLower" },
    route: {},
    told: ["DownstreamHttpVersionPolicy: RequestVersionOrLower"],
  },
  HttpHandlerOptions: {
    global: { HttpHandlerOptions: { AllowAutoRedirect: true, MaxConnectionsPerServer: 4 } },
    route: { HttpHandlerOptions: { MaxConnectionsPerServer: 2 } },
    told: ["redirects on the same origin are followed, at most 2 to each host"],
  },
  RequestIdKey: { global: { RequestIdKey: "X-Id" }, route: {}, told: ["x-id: <a new UUID>"] },
  Limits: { global: { Limits: { Url: 200 } }, route: {}, told: ["Limits: Url 200"] },
  AllowedOrigins: {
    global: { AllowedOrigins: ["https://a.example"] },
    route: { AllowUpgrade: true },
    told: ["AllowedOrigins: https://a.example"],
  },
  Tls: {
    global: { Tls: { Ca: "ca.pem" }, DownstreamScheme: "https" },
    route: {},
    told: ["Tls: Ca ca.pem"],
  },
  Metadata: { global: { Metadata: { team: "blue" } }, route: {}, told: ['"team" = "blue"'] },
  // Yours, and never looked at.
  Extensions: { global: { Extensions: { note: secret } }, route: {}, told: [] },
};

function configOf({ route, global, root }: Row): GatewayConfig {
  return parseConfig(
    { Routes: [{ ...base, ...hosts, ...route }], GlobalConfiguration: { ...global }, ...root },
    { logger: false },
  );
}

describe("an explanation and the list of routes tell of each key what it comes to", () => {
  test("there is a row for every key of a route", () => {
    expect(Object.keys(rows).sort()).toEqual(Object.keys(schema.definitions.route!.properties).sort());
  });

  test.each(Object.entries(rows))("%s", (_key, row) => {
    const { text, data } = told(row);
    for (const words of row.told) expect(text).toContain(words);
    expect(text + data).not.toContain(secret);
  });

  test("there is a row for every key that may stand on a route and for all", () => {
    const shared = Object.keys(globalSection.keys).filter((key) => Object.hasOwn(rows, key));
    expect(Object.keys(globalRows).sort()).toEqual(shared.sort());
  });

  test.each(Object.entries(globalRows))("%s, written for all routes", (_key, row) => {
    const { text, data } = told(row);
    for (const words of row.told) expect(text).toContain(words);
    expect(text + data).not.toContain(secret);
  });

  test("certificates of a route stand in the place of those for all, and are not laid over them", () => {
    const route = { Tls: { Ca: "own.pem" }, DownstreamScheme: "https" };
    const { text } = told({ route, global: { Tls: { ServerName: "orders" } }, told: [] });
    expect(text).toContain("Tls: Ca own.pem");
    expect(text).not.toContain("ServerName");
  });

  test("a provider's certificates stand before those for all where the naming service is asked", () => {
    const route = { ServiceName: "A/B", DownstreamHostAndPorts: undefined };
    const provider = { Type: "ServiceCluster", Scheme: "https", Tls: { Ca: "cluster.pem" } };
    const { text } = told({ route, global: { ServiceDiscoveryProvider: provider, Tls: { Ca: "all.pem" } }, told: [] });
    expect(text).toContain("Tls: Ca cluster.pem");
    expect(text).not.toContain("all.pem");
  });
});

function told(row: Row): Readonly<{ text: string; data: string }> {
  const config = configOf(row);
  const request = { method: "GET", path: "/a/1", host: "shop.example", headers: { "X-Team": "blue" } };
  const explanation = maskByConfig(config, explainRequest(config, request));
  return {
    text: printExplanation(explanation),
    data: JSON.stringify(explanation) + JSON.stringify(listRoutes(config)),
  };
}

import { describe, expect, test } from "@jest/globals";
import { type GlobalConfig, globalSection } from "../../src/config/sections.ts";
import { compareRoutes, parseConfig } from "../../src/index.ts";
import { routeTo } from "./scene.ts";

type Row = Readonly<{
  /** What the key is before, and then. */
  values: readonly [unknown, unknown];
  /** What else is said for all routes. */
  beside?: object;
  /** What a route needs for the key to mean anything. */
  plain?: object;
  /** What a route has that says the same for itself, or asks for what is said for all by name. */
  own?: object;
  reached: readonly ("plain" | "own")[];
}>;

const both = ["plain", "own"] as const;
const scheme = (Audience: string): object => ({
  Bearer: { Type: "Jwt", Issuer: "https://issuer.example", Audience },
});
const locked = { AuthenticationOptions: { AuthenticationProviderKeys: ["Bearer"] } };
const secured = { AuthenticationSchemes: scheme("shop") };
const service = { ServiceName: "orders", DownstreamHostAndPorts: undefined };
const dns = (Host: string): object => ({ Type: "Dns", Host });
const byOther = { ...service, ServiceProvider: "other" };
const httpVersion = "1.1";

/** Of each key for all routes: which of two routes another value makes another one. */
const rows: Readonly<Record<keyof GlobalConfig, Row>> = {
  BaseUrl: {
    values: ["https://a.example", "https://b.example"],
    own: { UpstreamHeaderTransform: { "X-Gateway": "{BaseUrl}" } },
    reached: ["own"],
  },
  ServiceDiscoveryProvider: {
    values: [dns("10.0.0.1"), dns("10.0.0.2")],
    beside: { Providers: { other: dns("10.0.0.3") } },
    plain: service,
    own: byOther,
    reached: ["plain"],
  },
  Providers: {
    values: [{ other: dns("10.0.0.3") }, { other: dns("10.0.0.4") }],
    beside: { ServiceDiscoveryProvider: dns("10.0.0.1") },
    plain: service,
    own: byOther,
    reached: ["own"],
  },
  DownstreamScheme: { values: ["http", "https"], own: { DownstreamScheme: "http" }, reached: ["plain"] },
  SecurityOptions: {
    values: [{ IPBlockedList: ["10.0.0.1"] }, { IPBlockedList: ["10.0.0.2"] }],
    own: { SecurityOptions: { IPBlockedList: ["10.0.0.3"] } },
    reached: ["plain"],
  },
  RateLimitOptions: {
    values: [
      { Limit: 1, Period: "1s" },
      { Limit: 2, Period: "1s" },
    ],
    own: { RateLimitOptions: { EnableRateLimiting: false } },
    reached: ["plain"],
  },
  AuthenticationOptions: {
    values: [
      { AuthenticationProviderKeys: ["Bearer"], AllowedScopes: ["read"] },
      { AuthenticationProviderKeys: ["Bearer"], AllowedScopes: ["write"] },
    ],
    beside: secured,
    own: locked,
    reached: both,
  },
  AuthenticationSchemes: { values: [scheme("shop"), scheme("bank")], own: locked, reached: both },
  IdentityKey: { values: ["a".repeat(32), "b".repeat(32)], reached: both },
  Redis: { values: [{ Url: "redis://a.example" }, { Url: "redis://b.example" }], reached: [] },
  UpstreamHeaderTransform: {
    values: [{ "X-A": "1" }, { "X-A": "2" }],
    own: { UpstreamHeaderTransform: { "X-B": "3" } },
    reached: both,
  },
  DownstreamHeaderTransform: {
    values: [{ "X-A": "1" }, { "X-A": "2" }],
    own: { DownstreamHeaderTransform: { "X-B": "3" } },
    reached: both,
  },
  CacheOptions: {
    values: [{ TtlSeconds: 1 }, { TtlSeconds: 2 }],
    own: { CacheOptions: { Region: "a" } },
    reached: both,
  },
  StickyKey: { values: ["a".repeat(32), "b".repeat(32)], reached: both },
  LoadBalancerOptions: {
    values: [{ Type: "RoundRobin" }, { Type: "LeastConnection" }],
    own: { LoadBalancerOptions: { Type: "NoLoadBalancer" } },
    reached: both,
  },
  QoSOptions: {
    values: [{ MinimumThroughput: 2 }, { MinimumThroughput: 3 }],
    own: { QoSOptions: { BreakDuration: 1_000 } },
    reached: both,
  },
  Timeout: { values: [3, 4], own: { Timeout: 5 }, reached: ["plain"] },
  TimeoutStatus: { values: [503, 504], own: { Timeout: 5 }, reached: both },
  // Whatever is written, HTTP/1.1 is spoken.
  DownstreamHttpVersion: { values: ["1.0", httpVersion], own: { DownstreamHttpVersion: httpVersion }, reached: [] },
  DownstreamHttpVersionPolicy: { values: ["RequestVersionExact", "RequestVersionOrLower"], reached: [] },
  HttpHandlerOptions: {
    values: [{ AllowAutoRedirect: true }, { AllowAutoRedirect: false }],
    own: { HttpHandlerOptions: { MaxConnectionsPerServer: 2 } },
    reached: both,
  },
  RequestIdKey: { values: ["X-A", "X-B"], own: { RequestIdKey: "X-C" }, reached: ["plain"] },
  Limits: { values: [{ Url: 100 }, { Url: 200 }], own: { Limits: { Body: 3 } }, reached: both },
  AllowedOrigins: {
    values: [["https://a.example"], ["https://b.example"]],
    plain: { AllowUpgrade: true },
    own: { AllowUpgrade: true, AllowedOrigins: ["https://c.example"] },
    reached: ["plain"],
  },
  Tls: {
    values: [{ ServerName: "a.example" }, { ServerName: "b.example" }],
    own: { Tls: { ServerName: "c.example" } },
    reached: ["plain"],
  },
  Metadata: { values: [{ team: "blue" }, { team: "red" }], own: { Metadata: { team: "green" } }, reached: both },
  MetadataOptions: {
    values: [{ Separators: [";"] }, { Separators: ["|"] }],
    own: { Metadata: { teams: "a;b" } },
    reached: both,
  },
  Extensions: { values: ["a", "b"], own: { Extensions: "c" }, reached: [] },
};

/** Sections that may be for some routes only. */
const narrowed = Object.entries(globalSection.keys)
  .filter(([, key]) => "section" in key && Object.hasOwn(key.section.keys, "RouteKeys"))
  .map(([name]) => [name, rows[name as keyof GlobalConfig]] as const);

function changedBy(name: string, row: Row, more: object = {}): readonly string[] {
  const { values, beside = {}, plain = {}, own = {} } = row;
  const [before, after] = values.map((value) => {
    const global = {
      ...beside,
      [name]: typeof value === "object" && !Array.isArray(value) ? { ...value, ...more } : value,
    };
    const Routes = [routeTo(1, "/plain", { ...plain, Key: "plain" }), routeTo(1, "/own", { ...own, Key: "own" })];
    return parseConfig({ Routes, GlobalConfiguration: global }, { logger: false });
  });
  return compareRoutes(before!, after!).changed;
}

describe("Another value for all routes makes another route of", () => {
  test.each(Object.entries(rows))("those that %s reaches", (name, row) => {
    expect(changedBy(name, row)).toEqual(row.reached);
  });

  test("those only that its RouteKeys name, where it has some", () => {
    expect(narrowed.length).toBeGreaterThan(5);
    const reached = narrowed.map(([name, row]) => [name, changedBy(name, row, { RouteKeys: ["plain"] })]);
    expect(reached).toEqual(narrowed.map(([name]) => [name, ["plain"]]));
  });

  test("none where it is the same", () => {
    const same = Object.entries(rows).map(([name, row]) =>
      changedBy(name, { ...row, values: [row.values[0], row.values[0]] }),
    );
    expect(same.flat()).toEqual([]);
  });
});

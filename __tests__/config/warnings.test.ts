import { describe, expect, test } from "@jest/globals";
import { parseConfig } from "../../src/config/parse-config.ts";
import { createLogBook, global, one, route, service } from "./configurations.ts";

const rows: readonly Readonly<{ reason: string; input: unknown; says: readonly string[] }>[] = [
  {
    reason: "no routes",
    input: {},
    says: [
      'configuration: there are no routes, so every request falls through: expected "Routes", found nothing (no-routes)',
    ],
  },
  {
    reason: "an empty list of routes",
    input: { Routes: [] },
    says: ['Routes: there are no routes, so every request falls through: expected "Routes", found [] (no-routes)'],
  },
  {
    reason: "a mistyped key",
    input: one({ UpstreamHttpMethods: ["GET"] }),
    says: [
      'Routes[0].UpstreamHttpMethods: "UpstreamHttpMethods" is unknown here and has no effect – did you mean "UpstreamHttpMethod"? Without it the route takes requests of every method (key-unknown)',
    ],
  },
  {
    reason: "a mistyped key beside the right one",
    input: one({ UpstreamHttpMethods: ["GET"], UpstreamHttpMethod: ["GET"] }),
    says: [
      'Routes[0].UpstreamHttpMethods: "UpstreamHttpMethods" is unknown here and has no effect – did you mean "UpstreamHttpMethod"? (key-unknown)',
    ],
  },
  {
    reason: "a key of three letters that is the first word of another one",
    input: one({ CacheOptions: { Ttl: 10 } }),
    says: [
      'Routes[0].CacheOptions.Ttl: "Ttl" is unknown here and has no effect – did you mean "TtlSeconds"? (key-unknown)',
    ],
  },
  {
    reason: "a key that means nothing",
    input: one({ Colour: "red" }),
    says: [
      'Routes[0].Colour: "Colour" is unknown here and has no effect: remove it, unless something else reads it (key-unknown)',
    ],
  },
  {
    reason: "a key that stands in the wrong place",
    input: { ...one({}), ServiceDiscoveryProvider: { Type: "ServiceFabric" } },
    says: [
      'ServiceDiscoveryProvider: "ServiceDiscoveryProvider" is unknown here and has no effect – it belongs into "GlobalConfiguration" (key-unknown)',
    ],
  },
  {
    reason: "a mistyped key of a provider",
    input: service({}, { Type: "ServiceFabric", Prot: 19081 }),
    says: [
      'GlobalConfiguration.ServiceDiscoveryProvider.Prot: "Prot" is unknown here and has no effect – did you mean "Port"? (key-unknown)',
    ],
  },
  {
    reason: "one key of Ocelot's on several routes",
    input: {
      Routes: [route({ ConnectionClose: true }), route({ UpstreamPathTemplate: "/b/{id}", ConnectionClose: true })],
    },
    says: [
      'Routes[0].ConnectionClose: "ConnectionClose" has no effect in this gateway: connections are kept alive (2 places: Routes[0].ConnectionClose, Routes[1].ConnectionClose) (key-unsupported)',
    ],
  },
  {
    reason: "routes under their old name",
    input: { ReRoutes: [route()] },
    says: ['ReRoutes: "ReRoutes" is an old spelling: write "Routes" (key-old)'],
  },
  {
    reason: "case in its old spelling",
    input: one({ ReRouteIsCaseSensitive: true }),
    says: [
      'Routes[0].ReRouteIsCaseSensitive: "ReRouteIsCaseSensitive" is an old spelling: write "RouteIsCaseSensitive" (key-old)',
    ],
  },
  {
    reason: "the load balancer in its old spelling",
    input: one({ LoadBalancer: "RoundRobin" }),
    says: [
      'Routes[0].LoadBalancer: "LoadBalancer" is an old spelling: write "LoadBalancerOptions": { "Type": … } (key-old)',
    ],
  },
  {
    reason: "host and port in their old spelling",
    input: one({ DownstreamHostAndPorts: undefined, DownstreamHost: "old.local", DownstreamPort: "81" }),
    says: [
      'Routes[0].DownstreamHost: "DownstreamHost" is an old spelling: write "DownstreamHostAndPorts": [{ "Host": … }] (key-old)',
      'Routes[0].DownstreamPort: "DownstreamPort" is an old spelling: write "DownstreamHostAndPorts": [{ "Port": … }] (key-old)',
    ],
  },
  {
    reason: "service discovery switched on by hand",
    input: service({ UseServiceDiscovery: true }, { Type: "ServiceFabric" }),
    says: [
      'Routes[0].UseServiceDiscovery: "UseServiceDiscovery" is an old spelling: remove it, since "ServiceName" alone decides (key-old)',
    ],
  },
  {
    reason: "service discovery switched on by hand for all",
    input: global({ UseServiceDiscovery: true }),
    says: [
      'GlobalConfiguration.UseServiceDiscovery: "UseServiceDiscovery" has no effect in this gateway: "ServiceName" of a route alone decides (key-unsupported)',
    ],
  },
  {
    reason: "global metadata among the options",
    input: global({ MetadataOptions: { Metadata: { app: "shop" } } }),
    says: [
      'GlobalConfiguration.MetadataOptions.Metadata: "Metadata" is an old spelling: write it under "GlobalConfiguration" (key-old)',
    ],
  },
  {
    reason: "blanks around a word",
    input: one({ DownstreamScheme: " https " }),
    says: ['Routes[0].DownstreamScheme: read " https " without the blanks around it: remove them (word-blanks)'],
  },
  {
    reason: "no parameter for clients",
    input: service({ ClientParameters: [] }),
    says: [
      "Routes[0].ClientParameters: an empty list counts as absent, so it forbids nothing: name at least one, or remove ClientParameters (list-empty)",
    ],
  },
  {
    reason: "no origin",
    input: one({ AllowedOrigins: [] }),
    says: [
      "Routes[0].AllowedOrigins: an empty list counts as absent, so it forbids nothing: name at least one, or remove AllowedOrigins (list-empty)",
    ],
  },
  {
    reason: "an origin with a path",
    input: one({ AllowedOrigins: ["https://app.example.org", "https://app.example.org/shop"] }),
    says: [
      'Routes[0].AllowedOrigins[1]: expected scheme, host and port only, such as "https://app.example.org", found "https://app.example.org/shop" (origin-invalid)',
    ],
  },
  {
    reason: "the same paths under other names",
    input: {
      Routes: [route(), route({ UpstreamPathTemplate: "/Orders/{order}", DownstreamPathTemplate: "/api/{order}" })],
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/Orders/{order}" is never reached: Routes[0] "/orders/{id}" comes first, and takes "GET /Orders/1" for example; both take the very same requests, so one of them is dead in whatever order: remove it, or part them (route-unreachable)',
    ],
  },
  {
    reason: "a path below a route for everything",
    input: { Routes: [route(), route({ UpstreamPathTemplate: "/orders/{id}/lines", UpstreamHttpMethod: ["GET"] })] },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/orders/{id}/lines" is never reached: Routes[0] "/orders/{id}" comes first, and takes "GET /orders/1/lines" for example; put it before that one, or give it "Priority": 2 (route-unreachable)',
    ],
  },
  {
    reason: "a base URL without a scheme",
    input: global({ BaseUrl: "localhost:5000" }),
    says: [
      'GlobalConfiguration.BaseUrl: expected an absolute URL such as "https://api.example.org", found "localhost:5000" (base-url-invalid)',
    ],
  },
  {
    reason: "several hosts and no balancer",
    input: one({ DownstreamHostAndPorts: [{ Host: "a" }, { Host: "b" }] }),
    says: [
      'Routes[0].DownstreamHostAndPorts: only the first of 2 hosts is asked while it answers: write "LoadBalancerOptions": { "Type": "RoundRobin" } (or "LeastConnection") to use all (first-host-only)',
    ],
  },
  {
    reason: "hosts beside a service",
    input: service({ DownstreamHostAndPorts: [{ Host: "a" }] }),
    says: [
      'Routes[0].DownstreamHostAndPorts: the hosts are not asked, since ServiceCluster finds the "ServiceName": remove the hosts, or "ServiceName" if they are meant (hosts-ignored)',
    ],
  },
  {
    reason: "a service beside hosts, and nobody who would find it",
    input: one({ ServiceName: "orders" }),
    says: [
      'Routes[0].ServiceName: nobody finds this service, as there is no provider, so the hosts are asked: remove it, or add a "ServiceDiscoveryProvider" to "GlobalConfiguration" (service-ignored)',
    ],
  },
  {
    reason: "the status of a refusal that Ocelot's documentation shows",
    input: {
      Routes: [route({ RateLimitOptions: { Period: "1s", Limit: 1 } })],
      GlobalConfiguration: { RateLimitOptions: { HttpStatusCode: 999 } },
    },
    says: [
      "GlobalConfiguration.RateLimitOptions.HttpStatusCode: 999 tells no client that it was refused, so it gets 429: write a status from 400 to 599, or nothing (limit-status-replaced)",
    ],
  },
  {
    reason: "parts of an aggregate under their old name",
    input: {
      Routes: [route({ Key: "a", UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/a" })],
      Aggregates: [{ UpstreamPathTemplate: "/all", ReRouteKeys: ["a"] }],
    },
    says: ['Aggregates[0].ReRouteKeys: "ReRouteKeys" is an old spelling: write "RouteKeys" (key-old)'],
  },
  {
    reason: "certificates that nobody verifies",
    input: one({ DownstreamScheme: "https", DangerousAcceptAnyServerCertificateValidator: true }),
    says: [
      'Routes[0].DangerousAcceptAnyServerCertificateValidator: ANY certificate of the downstream is accepted, an attacker\'s included; trust its certificate authority instead: "Tls": { "Ca": "ca.pem" } (certificate-unverified)',
    ],
  },
  {
    reason: "a priority for a route for everything",
    input: one({ UpstreamPathTemplate: "/{id}", Priority: 5 }),
    says: [
      'Routes[0].Priority: Priority 5 has no effect: "/{id}" takes every path and always has priority 0 (priority-ignored)',
    ],
  },
  {
    reason: "a fragment downstream",
    input: one({ DownstreamPathTemplate: "/api/{id}#top" }),
    says: [
      'Routes[0].DownstreamPathTemplate: every request of this route will be refused: there is a "#" in "/api/{id}#top" (request-always-refused)',
    ],
  },
  {
    reason: "a dot segment downstream",
    input: one({ DownstreamPathTemplate: "/api/../{id}" }),
    says: [
      'Routes[0].DownstreamPathTemplate: every request of this route will be refused: there is a dot segment in "/api/../{id}" (request-always-refused)',
    ],
  },
  {
    reason: "an escape downstream that nobody may send",
    input: one({ DownstreamPathTemplate: "/api%00/{id}" }),
    says: [
      'Routes[0].DownstreamPathTemplate: every request of this route will be refused: there is a control character, raw or percent-encoded in "/api%00/{id}" (request-always-refused)',
    ],
  },
  {
    reason: "a percent sign downstream before a value that may go on with digits",
    input: one({ DownstreamPathTemplate: "/api%{id}" }),
    says: [],
  },
  {
    reason: "an escape in a service name that nobody may send",
    input: service({ ServiceName: "Shop/%FF" }),
    says: [
      'Routes[0].ServiceName: every request of this route will be refused: there is a percent sign without two hex digits, or a byte that is never part of UTF-8 in "Shop/%FF" (request-always-refused)',
    ],
  },
  {
    reason: "an empty segment in a service name",
    input: service({ ServiceName: "Shop//Orders" }),
    says: [
      'Routes[0].ServiceName: every request of this route will be refused: there is an empty segment in "Shop//Orders" (request-always-refused)',
    ],
  },
  {
    reason: "a sign that ends a service name",
    input: service({ ServiceName: "Shop/Orders/v$1" }),
    says: [
      'Routes[0].ServiceName: every request of this route will be refused: one of $ + | ~ stands in a late segment in "Shop/Orders/v$1" (request-always-refused)',
    ],
  },
  {
    reason: "a host with a scheme",
    input: one({ UpstreamHost: "https://api.example.org" }),
    says: [
      'Routes[0].UpstreamHost: no request has this host: expected a host such as api.example.org, or one with its port, found "https://api.example.org" (host-never-matches)',
    ],
  },
];

describe("A configuration starts with a warning about", () => {
  test.each(rows)("$reason", ({ input, says }) => {
    const { logger, lines } = createLogBook();

    const { warnings } = parseConfig(input, { logger });

    expect(lines).toEqual(says.map((line) => `warn ${line}`));
    expect(warnings).toHaveLength(says.length);
  });
});

describe("A configuration starts without a warning about", () => {
  const silent: readonly Readonly<{ reason: string; input: unknown }>[] = [
    {
      reason: "extensions wherever they stand",
      input: one({
        DownstreamHostAndPorts: [{ Host: "example.org", Extensions: { owner: "me" } }],
        Limits: { Extensions: { Bdoy: 1 } },
      }),
    },
    { reason: "extensions, whatever they hold", input: one({ Extensions: { anything: [1, { UpstreamHots: 1 }] } }) },
    {
      reason: "keys that begin with x- or $",
      input: { $schema: "a.json", "x-note": 1, ...one({ "X-Owner": "me", $id: 1 }) },
    },
    { reason: "keys in another case", input: { routes: [{ ...route(), upstreamhttpmethod: ["get"] }] } },
    {
      reason: "keys that tools write for nothing",
      input: one({ QoSOptions: {}, FileCacheOptions: null, SwaggerKey: "" }),
    },
    {
      reason: "locks that are not switched on",
      input: one({ RateLimitOptions: { EnableRateLimiting: false, Limit: 0 } }),
    },
    { reason: "a literal path before the route for everything", input: literalFirst() },
    { reason: "another method below a route for everything", input: otherMethod() },
    {
      reason: "a shared path of two hosts",
      input: { Routes: [route({ UpstreamHost: "a" }), route({ UpstreamHost: "b" })] },
    },
  ];

  test.each(silent)("$reason", ({ input }) => {
    const { logger, lines } = createLogBook();

    parseConfig(input, { logger });

    expect(lines).toEqual([]);
  });
});

test("A proxy is asked for in earnest where the environment names one, and else by habit of earlier versions", () => {
  const input = one({ HttpHandlerOptions: { UseProxy: true } });
  const before = { ...process.env };
  for (const name of Object.keys(process.env).filter((key) => /_proxy$/i.test(key))) delete process.env[name];
  const warnings = (): unknown =>
    parseConfig(input, { logger: false }).warnings.map(({ code, path }) => `${code} ${path}`);
  const without = warnings();
  process.env.HTTP_PROXY = "http://proxy.internal:3128";
  const seen = [without, warnings()];
  delete process.env.HTTP_PROXY;
  Object.assign(process.env, before);
  expect(seen).toEqual([[], ["key-unsupported Routes[0].HttpHandlerOptions.UseProxy"]]);
});

function literalFirst(): unknown {
  return { Routes: [route({ UpstreamPathTemplate: "/orders/new", DownstreamPathTemplate: "/api/new" }), route()] };
}

function otherMethod(): unknown {
  const below = { UpstreamPathTemplate: "/orders/{id}/lines", UpstreamHttpMethod: ["POST"] };
  return { Routes: [route({ UpstreamHttpMethod: ["GET"] }), route(below)] };
}

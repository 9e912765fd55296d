import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { globalConfigOf } from "../../src/config/gateway-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { parseConfig } from "../../src/config/parse-config.ts";

const folder = new URL("../fixtures/config/", import.meta.url);

function load(name: string) {
  return loadConfig(fileURLToPath(new URL(name, folder)), { logger: false });
}

describe("Files as people have them start", () => {
  test("the basic sample, without a warning", async () => {
    const config = await load("sample-basic.json");

    expect(config.warnings).toEqual([]);
    expect(config.baseUrl).toBe("https://localhost:5001");
    expect(config.routes).toEqual([
      {
        UpstreamPathTemplate: "/tasks/{id}",
        UpstreamHttpMethod: ["GET"],
        DownstreamPathTemplate: "/todos/{id}",
        DownstreamScheme: "https",
        DownstreamHostAndPorts: [{ Host: "todos.example.org", Port: 443 }],
      },
    ]);
  });

  test("the sample for Service Fabric, without a warning", async () => {
    const config = await load("sample-service-fabric.json");

    expect(config.warnings).toEqual([]);
    expect(config.routes[0]?.ServiceName).toBe("FactoryApplication/DeviceService");
    expect(globalConfigOf(config)).toEqual({
      RequestIdKey: "Oc-RequestId",
      ServiceDiscoveryProvider: { Type: "ServiceCluster", Host: "localhost", Port: 19081 },
    });
  });

  test("the sample for metadata: every value is a text, and global metadata is found in its old place", async () => {
    const config = await load("sample-metadata.json");

    expect(config.warnings.map(({ code, line }) => `${line} ${code}`)).toEqual(["36 key-old"]);
    expect(config.routes.map(({ Metadata }) => ({ ...Metadata }))).toEqual([
      { "route.id": "1", "route.name": "manual", disableMetadataJson: "True" },
      {
        "route.id": "2.50",
        cities: "London, Paris, Berlin",
        "stub/location": '{"name":"London","lat":51.5170,"lon":-0.10620,"inhabited":true,"mayor":null}',
        "stub/hours": "[6,12,18]",
        "plugin1.enabled": "true",
        "plugin2/param1": null,
      },
    ]);
    const global = globalConfigOf(config);
    expect({ ...global?.Metadata }).toEqual({ "app-name": "Metadata sample" });
    expect(global?.MetadataOptions).toEqual({ CurrentCulture: "en-GB" });
  });

  test("one that a tool wrote with every key: what nobody set is absent", async () => {
    const config = await load("written-by-a-tool.json");

    expect(config.warnings).toEqual([]);
    expect(config.routes).toEqual([
      {
        DownstreamPathTemplate: "/api/{everything}",
        UpstreamPathTemplate: "/shop/{everything}",
        // The flag of a route without lists counts.
        SecurityOptions: { ExcludeAllowedFromBlocked: false },
        RateLimitOptions: { EnableRateLimiting: false, Limit: 0, Wait: "0s" },
        CacheOptions: { TtlSeconds: 0 },
        // So does what the route does not want of the global options.
        HttpHandlerOptions: { AllowAutoRedirect: false, UseCookieContainer: false },
        // Zeros alone ask for no breaker.
        QoSOptions: { MinimumThroughput: 0, BreakDuration: 0 },
        UpstreamHttpMethod: ["POST", "GET"],
        RouteIsCaseSensitive: false,
        DownstreamScheme: "http",
        DownstreamHostAndPorts: [{ Host: "shop.local" }],
        Priority: 1,
        DangerousAcceptAnyServerCertificateValidator: false,
      },
    ]);
    expect(globalConfigOf(config)).toEqual({ RateLimitOptions: { ClientIdHeader: "ClientId", StatusCode: 429 } });
  });

  test("one from 2018: old spellings are read as today's", async () => {
    const config = await load("from-2018.json");

    expect(config.warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "key-old ReRoutes",
      "key-old ReRoutes[0].DownstreamHost",
      "key-old ReRoutes[0].DownstreamPort",
      "key-old ReRoutes[0].ReRouteIsCaseSensitive",
      "key-old ReRoutes[0].LoadBalancer",
      "key-old ReRoutes[0].UseServiceDiscovery",
    ]);
    expect(config.routes).toEqual([
      {
        DownstreamPathTemplate: "/api/{url}",
        DownstreamScheme: "http",
        DownstreamHostAndPorts: [{ Host: "catalog.local", Port: 5001 }],
        UpstreamPathTemplate: "/catalog/{url}",
        UpstreamHttpMethod: ["GET"],
        RouteIsCaseSensitive: false,
        LoadBalancerOptions: { Type: "LeastConnection" },
        CacheOptions: { TtlSeconds: 15 },
      },
    ]);
  });
});

test.each(["sample-basic.json", "sample-service-fabric.json", "written-by-a-tool.json"])(
  "%s reads the same as text and as an object",
  (name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    const [fromText, fromObject] = [text, JSON.parse(text)].map((input) => parseConfig(input, { logger: false }));

    expect(fromObject?.routes).toEqual(fromText?.routes);
    expect(globalConfigOf(fromObject)).toEqual(globalConfigOf(fromText));
  },
);

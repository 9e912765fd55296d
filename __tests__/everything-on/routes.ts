import { type GatewayConfig, parseConfig } from "../../src/index.ts";

/** Where the routes lead, and which version of the configuration this is: each changes what a reload may change. */
export type RouteSettings = Readonly<{ upstreamPort: number; version?: number; timeout?: number }>;

/** Lengths of the literals between two placeholders of one segment. */
const literalLengths = Array.from({ length: 60 }, (_, index) => index + 1);

/** A configuration with placeholders named like secrets in path, query and headers, and with every kind of target. */
export function configEverythingOn({ upstreamPort, version = 0, timeout = 5 }: RouteSettings): object {
  const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstreamPort }] };
  const route = (upstream: string, downstream: string, more: object = {}): object => ({
    UpstreamPathTemplate: upstream,
    DownstreamPathTemplate: downstream,
    ...hosts,
    ...more,
  });
  return {
    Routes: [
      route("/reset/{token}", "/reset/{token}"),
      route("/emptied/{token}", "/emptied"),
      route("/countries/{code}", "/lands?code={code}"),
      route("/keys/{apiKey}/of/{user}", "/users/{user}?apiKey={apiKey}"),
      route("/find?token={token}&code={code}", "/found/{token}?code={code}"),
      route("/rest?{rest}", "/rest?{rest}"),
      route("/mine", "/tenants/{token}/home", { UpstreamHeaderTemplates: { "X-Token": "{token}" } }),
      route("/hosted/{x}", "/hosted/{x}", { UpstreamHost: "tenant.example" }),
      route("/small/{x}", "/small/{x}", { Limits: { Body: 4_096 } }),
      route("/lean/{x}", "/lean/{x}", { Limits: { Header: 2_000, Url: 500 } }),
      route("/as-delete/{x}", "/{x}", { DownstreamHttpMethod: "DELETE" }),
      route("/as-post/{x}", "/{x}", { DownstreamHttpMethod: "POST" }),
      route("/by-handler/{x}", "/{x}"),
      route("/plain-json/{x}", "/{x}", { Metadata: { disableMetadataJson: "true" } }),
      route("/socket/{x}", "/socket/{x}", { DownstreamScheme: "ws" }),
      ...literalLengths.map((length) => route(`/dashed/{a}-${"r".repeat(length)}-{b}`, "/dashed?a={a}&b={b}")),
      route("/partitions/{partitionKey}", "/?PartitionKey={partitionKey}&PartitionKind=Int64Range", {
        ServiceName: "Shop/Orders",
      }),
      route("/svc/{app}/{service}/{rest}", "/{rest}", { ServiceName: "{app}/{service}" }),
      route("/changing/{x}", "/{x}", { Metadata: { version } }),
      route(`/only-${version}`, "/only"),
      route("/big/{everything}", "/{everything}", { Limits: { Body: 1e11 } }),
      route("/api/{everything}", "/{everything}", { Metadata: { team: "orders", "db.password": "hidden" } }),
    ],
    GlobalConfiguration: {
      ServiceDiscoveryProvider: { Type: "ServiceCluster", Host: "127.0.0.1", Port: upstreamPort },
      RequestIdKey: "X-Request-Id",
      Timeout: timeout,
      Limits: { Connect: 5 + (version % 3) },
    },
  };
}

/** The configuration as it is parsed, for reloads, too. */
export function parseEverythingOn(settings: RouteSettings): GatewayConfig {
  return parseConfig(configEverythingOn(settings), { logger: false });
}

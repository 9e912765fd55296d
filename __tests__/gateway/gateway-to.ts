import { createGateway, type Gateway, type GatewayOptions, parseConfig } from "../../src/index.ts";

/** A gateway with one route from `/x` to an upstream, and a quiet logger. */
export function gatewayTo(port: number, options: GatewayOptions = {}, route: object = {}): Gateway {
  const Route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    ...route,
  };
  const config = parseConfig({ Routes: [Route] }, { logger: false });
  return createGateway(config, { logger: false, ...options });
}

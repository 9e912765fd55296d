import type { RequestListener } from "node:http";
import type { GatewayOptions } from "../../src/index.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** A gateway with one route for every path, and the upstream behind it. */
export type OneRoute = RunningGateway & { upstream: Upstream };

/** Starts an upstream and a gateway whose only route carries the metadata. */
export async function startOneRoute(
  answer: RequestListener,
  options: GatewayOptions,
  metadata: Readonly<Record<string, string | null>> = { a: "b" },
): Promise<OneRoute> {
  const upstream = await startUpstream(answer);
  const route = {
    UpstreamPathTemplate: "/{path}",
    DownstreamPathTemplate: "/{path}",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    Metadata: metadata,
  };
  const running = await startGateway({ Routes: [route] }, options);
  return {
    ...running,
    upstream,
    async close() {
      await running.close();
      await upstream.close();
    },
  };
}

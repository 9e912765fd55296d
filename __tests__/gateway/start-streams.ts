import type { ServerResponse } from "node:http";
import { afterEach } from "@jest/globals";
import type { Engine } from "../../src/forwarding/engines/engine.ts";
import type { GatewayOptions } from "../../src/index.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** A gateway to what streams without end at /stream, and answers at once below /fast, which has limits. */
export async function startStreams(
  create: () => Engine,
  limits: object = {},
  options: GatewayOptions = {},
): Promise<RunningGateway & { streams: ServerResponse[]; asked: string[] }> {
  const streams: ServerResponse[] = [];
  const asked: string[] = [];
  const upstream = await startUpstream((req, res) => {
    asked.push(req.url!);
    if (req.url === "/stream") streams.push(res.writeHead(200, { "content-type": "text/event-stream" }));
    res.write(`<${req.url}>`);
    if (req.url !== "/stream") res.end();
  });
  ending.push(() => upstream.close());
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const Routes = [
    { UpstreamPathTemplate: "/stream", DownstreamPathTemplate: "/stream", DownstreamHostAndPorts },
    { UpstreamPathTemplate: "/fast/{x}", DownstreamPathTemplate: "/{x}", DownstreamHostAndPorts, ...limits },
  ];
  const running = await startGateway({ Routes }, { engine: create(), ...options });
  ending.push(() => running.close());
  return { ...running, streams, asked };
}

import http from "node:http";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import express from "express";
import { createGateway, type GatewayOptions, parseConfig, problemDetails } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

export const ends: (() => Promise<unknown>)[] = [];
export let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
});

afterEach(async () => {
  upstream.requests.splice(0);
  for (const end of ends.splice(0).reverse()) await end();
});

afterAll(() => upstream.close());

export type Section = Readonly<Record<string, unknown>>;
type Given = Readonly<{ route?: Section; global?: Section; options?: GatewayOptions; appTrusts?: unknown }>;

export function configOf({ route, global }: Given, logger: GatewayOptions["logger"] = false) {
  const target = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  return parseConfig(
    {
      Routes: [{ UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", ...target, SecurityOptions: route }],
      GlobalConfiguration: { SecurityOptions: global },
    },
    { logger },
  );
}

export async function start(given: Given): Promise<{ port: number; server: http.Server }> {
  const gateway = createGateway(configOf(given), { logger: false, ...given.options });
  const app = express();
  if (given.appTrusts !== undefined) app.set("trust proxy", given.appTrusts);
  app.use(gateway).use(problemDetails({ logger: false }));
  const running = await serve(app, gateway);
  ends.push(running.close);
  return running;
}

export async function statusOf(port: number, headers: http.OutgoingHttpHeaders = {}): Promise<number> {
  return (await request({ port, path: "/x", headers })).status;
}

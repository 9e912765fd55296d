import { afterEach } from "@jest/globals";
import express, { type RequestHandler } from "express";
import { createGateway, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const running: (RunningGateway | Upstream)[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

/** An aggregate of `a` and `b`, and one that asks for so many values, behind what stands before the gateway; each part is locked by all schemes. */
export async function startWhole(
  before: RequestHandler,
  { calls = 2, behind = pass, ...options }: GatewayOptions & { calls?: number; behind?: RequestHandler } = {},
) {
  const upstream = await startUpstream((req, res) => {
    const ids = Array.from({ length: calls }, (_, id) => ({ id }));
    req.resume().on("end", () => res.setHeader("content-type", "application/json").end(JSON.stringify(ids)));
  });
  const UpstreamHttpMethod = ["GET", "POST"];
  const { authentication } = options;
  const route = (Key: string, path: string) => ({
    Key,
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: path,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    ...(authentication && { AuthenticationOptions: { AuthenticationProviderKeys: Object.keys(authentication) } }),
  });
  const config = {
    Routes: [route("a", "/a"), route("b", "/b"), route("values", "/values/{id}")],
    Aggregates: [
      { UpstreamPathTemplate: "/both", UpstreamHttpMethod, RouteKeys: ["a", "b"] },
      {
        UpstreamPathTemplate: "/list",
        UpstreamHttpMethod,
        RouteKeys: ["a", "values"],
        RouteKeysConfig: [{ RouteKey: "values", JsonPath: "$[*].id", Parameter: "{id}" }],
      },
    ],
  };
  const gateway = createGateway(parseConfig(config, { logger: false }), { logger: false, ...options });
  const app = await serve(express().use(before, gateway, behind), gateway);
  running.push(upstream, app);
  return { upstream, origin: app.origin };
}

export const json = "application/json";

export async function post(url: string, body: string, type = json) {
  const answer = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
  await answer.text();
  return answer.status;
}

export const pass: RequestHandler = (_req, _res, next) => next();

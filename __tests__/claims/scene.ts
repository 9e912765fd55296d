import type { RequestListener } from "node:http";
import express from "express";
import {
  type Authenticator,
  createGateway,
  type GatewayOptions,
  parseConfig,
  problemDetails,
} from "../../src/index.ts";
import { request, type RequestParts } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { type ArrivedRequest, startUpstream } from "../helpers/start-upstream.ts";

/** What came of a request: the answer, and what reached the upstream. */
export type Seen = Readonly<{
  status: number;
  code: string | undefined;
  body: string;
  arrived: ArrivedRequest | undefined;
}>;

/** A gateway before an upstream, whose clients have any claims: those that `claims` holds when they ask. */
export type Scene = Readonly<{
  port: number;
  ask: (parts?: Partial<RequestParts>, claims?: unknown) => Promise<Seen>;
  upstreamPort: number;
  gateway: ReturnType<typeof createGateway>;
  close: () => Promise<void>;
}>;

const target = (Port: number) => ({ DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port }] });

/** The route `/x/{rest}` is locked by the scheme `Any`, whose identity has the claims that are given with each request. */
export async function startScene(
  routes: readonly object[],
  options: GatewayOptions = {},
  wrap: (gateway: RequestListener) => RequestListener = inExpress,
): Promise<Scene> {
  const upstream = await startUpstream();
  let present: unknown;
  const Any: Authenticator = (req) =>
    req.headers["x-nobody"] === undefined ? { id: "1", claims: present as Record<string, string> } : undefined;
  const gateway = createGateway(parseConfig(configOf(routes, upstream.port), { logger: false }), {
    logger: false,
    authentication: { Any },
    ...options,
  });
  const running = await serve(wrap(gateway), gateway);
  return {
    port: running.port,
    gateway,
    upstreamPort: upstream.port,
    async ask(parts = {}, claims = { sub: "alice" }) {
      present = claims;
      const before = upstream.requests.length;
      const answer = await request({ port: running.port, path: "/x/z", ...parts });
      const body = answer.body.toString();
      const code = answer.headers["content-type"]?.startsWith("application/problem+json") === true;
      return {
        status: answer.status,
        code: code ? (JSON.parse(body) as { code: string }).code : undefined,
        body,
        arrived: upstream.requests.slice(before).at(-1),
      };
    },
    async close() {
      await running.close();
      await upstream.close();
    },
  };
}

/** A configuration whose routes lead to a port; one that says nothing of who may come in is locked by the scheme `Any`. */
export function configOf(routes: readonly object[], port: number): object {
  return {
    Routes: routes.map((route) => ({
      UpstreamPathTemplate: "/x/{rest}",
      DownstreamPathTemplate: "/x/{rest}",
      AuthenticationOptions: { AuthenticationProviderKey: "Any" },
      ...target(port),
      ...route,
    })),
  };
}

function inExpress(gateway: RequestListener): RequestListener {
  return express()
    .use(gateway)
    .use(problemDetails({ logger: false }));
}

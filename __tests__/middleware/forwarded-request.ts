import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { createGateway, parseConfig, problemDetails } from "../../src/index.ts";
import type { Engine } from "../../src/forwarding/engines/engine.ts";
import { type Answer, request, type RequestParts } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { type ArrivedRequest, startUpstream } from "../helpers/start-upstream.ts";

/** Where a middleware stands: in the app, in front of the gateway, or in its option `middleware`. */
export const places = ["in front", "between"] as const;

/** What arrived upstream, what came back, and the error that the gateway handed on. */
export type Forwarded = Readonly<{ arrived: ArrivedRequest | undefined; answer: Answer; error: unknown }>;

/** How a request goes through. */
export type Passage = Readonly<{
  engine: Engine;
  place: (typeof places)[number];
  handlers: readonly RequestHandler[];
  send: Omit<RequestParts, "port" | "path">;
  route?: object;
  /** The body that the upstream answers instead of the usual one. */
  answers?: Buffer;
}>;

/** The body that the upstream answers: long enough for a compressor to care. */
export const upstreamsBody = JSON.stringify({ text: "0123456789".repeat(500) });

/** Sends one request through an app with middleware, to an upstream that answers JSON. */
export async function sendThrough({ engine, place, handlers, send, route, answers }: Passage): Promise<Forwarded> {
  const upstream = await startUpstream((req, res) => {
    req.on("end", () => {
      res.writeHead(200, { "Content-Type": "application/json", ETag: '"e"', "Set-Cookie": "up=1", Vary: "Accept" });
      res.end(answers ?? upstreamsBody);
    });
    req.resume();
  });
  const config = {
    Routes: [
      {
        UpstreamPathTemplate: "/{x}",
        DownstreamPathTemplate: "/{x}",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
        ...route,
      },
    ],
  };
  const middleware = place === "between" ? handlers : [];
  const gateway = createGateway(parseConfig(config, { logger: false }), { engine, middleware, logger: false });
  const app = express();
  if (place === "in front") app.use(...handlers);
  app.use(gateway);
  let failure: unknown;
  const keepError: ErrorRequestHandler = (error, _req, _res, next) => {
    failure = error;
    next(error);
  };
  app.use(keepError);
  app.use(problemDetails({ logger: false }));
  const running = await serve(app, gateway);
  const answer = await request({ port: running.port, path: "/x", ...send });
  await running.close();
  await upstream.close();
  return { arrived: upstream.requests[0], answer, error: failure };
}

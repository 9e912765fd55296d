import { createHash } from "node:crypto";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { createGunzip } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import compression from "compression";
import express, { type RequestHandler } from "express";
import { createGateway, type GatewayOptions, metadataResponder, parseConfig } from "../../src/index.ts";
import { takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const pieceLength = 64 * 1024;
// Sockets and buffers between the two ends hold a part of it; the rest has to wait.
const pieceCount = 64;

/** Pieces that a compressor can make neither much shorter nor fast. */
function pieceAt(index: number): Buffer {
  const outputLength = pieceLength / 2;
  return Buffer.from(createHash("shake256", { outputLength }).update(`${index}`).digest("hex"));
}

const pieces = Array.from({ length: pieceCount }, (_, index) => pieceAt(index));
const digest = createHash("sha256").update(Buffer.concat(pieces)).digest("hex");

/** Sends 4 MB at the pace at which they are taken. */
function sendPieces(_req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, { "Content-Type": "text/plain" });
  let index = 0;
  const write = (): void => {
    while (index < pieceCount) if (!res.write(pieces[index++])) return void res.once("drain", write);
    res.end();
  };
  write();
}

const passOn: RequestHandler = (_req, _res, next) => next();

/** Middleware that stands in the way of what is written to a response. */
const writers: readonly Readonly<{ name: string; handler: () => RequestHandler; leaves?: number }>[] = [
  // One of its own stays.
  { name: "compression()", handler: () => compression(), leaves: 1 },
  { name: "compression() that compresses nothing", handler: () => compression({ filter: () => false }) },
  { name: "nobody", handler: () => passOn },
  {
    name: "a write that says nothing",
    handler: () => (_req, res, next) => {
      const write = res.write.bind(res) as (...parts: unknown[]) => boolean;
      res.write = ((...parts: unknown[]) => void write(...parts)) as never;
      next();
    },
  },
  {
    name: "an on() that hides its listeners",
    leaves: 1,
    handler: () => (_req, res, next) => {
      const on = res.on.bind(res);
      res.on = ((event: string, listener: (...values: unknown[]) => void) =>
        on(event, (...values: unknown[]) => listener(...values))) as never;
      next();
    },
  },
];

const responders: readonly Readonly<{ name: string; options: GatewayOptions }>[] = [
  { name: "passed through", options: {} },
  { name: "by the metadata responder", options: { responder: metadataResponder() } },
];

describe.each(engines)("$name", ({ create, turn }) => {
  describe.each(responders.map((responder, place) => ({ ...responder, place })))(
    "4 MB, $name",
    ({ options, place }) => {
      // In the short form each responder meets each writer at one engine.
      const met = takingTurns(writers, engines.length, turn + place);
      test.each(met)("past $name, attach one listener", async ({ handler, leaves = 0 }) => {
        const upstream = await startUpstream(sendPieces);
        const route = {
          UpstreamPathTemplate: "/{x}",
          DownstreamPathTemplate: "/{x}",
          DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
        };
        const gateway = createGateway(parseConfig({ Routes: [route] }, { logger: false }), {
          engine: create(),
          logger: false,
          ...options,
        });
        const app = express();
        let attached = 0;
        let left = 0;
        app.use(handler(), (_req, res, next) => {
          const on = res.on.bind(res);
          // Also `once` goes through here.
          res.on = ((event: string, listener: (...values: unknown[]) => void) => {
            if (event === "drain") attached += 1;
            return on(event, listener);
          }) as never;
          res.once("close", () => (left = res.listenerCount("drain")));
          next();
        });
        app.use(gateway);
        const running = await serve(app, gateway);
        const received = await download(running.port);
        await running.close();
        await upstream.close();
        expect(received).toBe(digest);
        expect(attached).toBeLessThanOrEqual(1);
        expect(left).toBeLessThanOrEqual(leaves);
      });
    },
  );
});

function download(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "Accept-Encoding": "gzip" };
    const asked = http.get({ port, path: "/x", headers, agent: false }, (answer) => {
      const hash = createHash("sha256");
      const plain = answer.headers["content-encoding"] === "gzip" ? answer.pipe(createGunzip()) : answer;
      plain.on("data", (chunk: Buffer) => void hash.update(chunk));
      plain.on("end", () => resolve(hash.digest("hex"))).on("error", reject);
    });
    asked.on("error", reject);
  });
}

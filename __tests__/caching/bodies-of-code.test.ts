import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import http, { type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, createGateway, type DelegatingHandler, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

/** More than a Unix socket and the streams before it hold. */
const length = 1_000_000;

type Change = (body: Readable) => Readable;

const changes: Readonly<Record<string, Change>> = {
  "hands it on": (body) => body,
  "pipes it": (body) => body.pipe(new PassThrough()),
  "takes its pieces": (body) => {
    const taken = new PassThrough();
    body.on("data", (piece) => taken.write(piece)).on("end", () => taken.end());
    return taken;
  },
  "sends it through web streams": (body) => Readable.fromWeb(Readable.toWeb(body).pipeThrough(new TransformStream())),
  "composes it": (body) => body.compose(new PassThrough()) as Readable,
};

const caches = [
  { what: "is kept", options: { TtlSeconds: 60 }, says: "public", turns: ["fetched", "kept"] },
  {
    what: "is asked for anew behind it",
    options: { Mode: "Rfc" },
    says: "max-age=1, stale-while-revalidate=60",
    turns: ["fetched", "stale"],
  },
] as const;

/** Asks over a socket, and takes the answer in when the service has given all of it. */
async function askSlowly(socketPath: string): Promise<number> {
  const [answer] = (await once(http.get({ socketPath, path: "/", agent: false }), "response")) as [IncomingMessage];
  await pause(300);
  return (await buffer(answer)).length;
}

describe.each(engines)("A body that code has of an answer from the cache ($name)", ({ create }) => {
  test.each(caches)(
    "comes whole to a client that takes its time, though the answer $what",
    async ({ options: CacheOptions, says, turns }) => {
      const folder = await mkdtemp(join(tmpdir(), "waymark-socket-"));
      const upstream = await startUpstream((_req, res) => {
        res.setHeader("cache-control", says);
        res.setHeader("cache-control", "max-age=1, stale-while-revalidate=60");
        res.end(Buffer.alloc(length));
      });
      const host = { Host: "127.0.0.1", Port: upstream.port };
      const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [host] };
      const config = { Routes: [{ ...route, CacheOptions }] };
      await Promise.all(
        Object.entries(changes).map(async ([name, change], index) => {
          const handler: DelegatingHandler = async (_outgoing, next) => {
            const { status, headers, body } = await next();
            return createAnswer({ status, headers, body: change(body) });
          };
          const options = { logger: false, engine: create(), handlers: [handler] } as const;
          const gateway = createGateway(parseConfig(config, { logger: false }), options);
          const server = http.createServer((req, res) => gateway(req, res)).listen(join(folder, String(index)));
          await once(server, "listening");
          for (const turn of turns) {
            if (turn === "stale") await pause(1_100);
            expect([name, turn, await askSlowly(join(folder, String(index)))]).toEqual([name, turn, length]);
          }
          server.close().closeAllConnections();
          await gateway.close({ grace: 0 });
        }),
      );
      await upstream.close();
      await rm(folder, { recursive: true });
    },
  );
});

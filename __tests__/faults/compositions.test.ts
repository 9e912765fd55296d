import net from "node:net";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { PassThrough, Readable, Transform } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { createGunzip, gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import type { DelegatingHandler, GatewayOptions } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

/** More than all buffers on the way take in. */
const length = 12_000_000;
const pieceLength = 50_000;
const moment = 50;

/** Gives everything at its end, as what sorts lines does: what feeds it has long come to its own end by then. */
function givesAllAtEnd(): Transform {
  const pieces: Buffer[] = [];
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
    flush(done) {
      for (const piece of pieces) this.push(piece);
      done();
    },
  });
}

const compose = (body: Readable): Readable => body.compose(givesAllAtEnd()) as Readable;

/** What code makes of bytes that are all there. */
function composeOf(bytes: Buffer): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceLength) }, (_, at) =>
    bytes.subarray(at * pieceLength, (at + 1) * pieceLength),
  );
  return compose(Readable.from(pieces));
}

const gives: DelegatingHandler = async (_outgoing, next) => {
  const answer = await next();
  answer.body = composeOf(Buffer.alloc(length));
  return answer;
};

const composesAgain: DelegatingHandler = async (_outgoing, next) => {
  const answer = await next();
  answer.body = answer.body.compose(new PassThrough()) as Readable;
  return answer;
};

const sendsOwn: DelegatingHandler = async (outgoing, next) => {
  outgoing.body = composeOf(await buffer(outgoing.body as Readable));
  return next();
};

describe.each(engines)("What code has composed ($name)", ({ create }) => {
  test.each<readonly [string, GatewayOptions]>([
    ["by a handler", { handlers: [gives] }],
    ["by one handler, and again by another", { handlers: [composesAgain, gives] }],
    [
      "by a handler, and again by a responder",
      {
        handlers: [gives],
        responder(upstream, _context, respond) {
          upstream.body = compose(upstream.body);
          return respond();
        },
      },
    ],
  ])("ends no process where its client leaves before it is given to its end: %s", async (_name, options) => {
    const upstream = await startUpstream((_req, res) => void res.end("never seen"));
    const gateway = await startGateway(routes(upstream.port), { engine: create(), ...options });
    for (const path of ["/one", "/all"]) {
      const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await once(client, "readable");
      await pause(moment);
      client.destroy();
    }
    await pause(moment);
    expect((await fetch(`${gateway.origin}/one`, { method: "HEAD" })).status).toBe(200);
    await gateway.close();
    await upstream.close();
  });

  test.each(["GET", "HEAD"])("fails its answer, and no process, where its input ends too early: %s", async (method) => {
    const zipped = gzipSync("line\n".repeat(1_000));
    const upstream = await startUpstream((_req, res) => {
      res.setHeader("content-encoding", "gzip");
      res.end(zipped.subarray(0, zipped.length / 2));
    });
    const unzips: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      answer.body = answer.body.compose(createGunzip()) as Readable;
      return answer;
    };
    const config = routes(upstream.port);
    const gateway = await startGateway(config, { logger: false, engine: create(), handlers: [unzips] });
    const asked = fetch(`${gateway.origin}/one`, { method }).then(async (answer) => [
      answer.status,
      await answer.text(),
    ]);
    expect(await asked.catch(() => "cut")).toEqual(method === "HEAD" ? [200, ""] : "cut");
    await pause(moment);
    await gateway.close();
    await upstream.close();
  });

  test("fails its request, and no process, where an upload ends too early", async () => {
    const upstream = await startUpstream();
    const unzips: DelegatingHandler = (outgoing, next) => {
      outgoing.body = (outgoing.body as Readable).compose(createGunzip()) as Readable;
      return next();
    };
    const config = routes(upstream.port);
    const gateway = await startGateway(config, { logger: false, engine: create(), handlers: [unzips] });
    const zipped = gzipSync("line\n".repeat(1_000));
    const body = zipped.subarray(0, zipped.length / 2);
    expect((await fetch(`${gateway.origin}/one`, { method: "POST", body })).status).toBe(500);
    await gateway.close();
    await upstream.close();
  });

  test("ends no process where the service answers before it has taken it in, or the client leaves", async () => {
    let answersAtOnce = true;
    const upstream = await startUpstream((_req, res) => {
      if (answersAtOnce) res.writeHead(413, { connection: "close" }).end();
    });
    const gateway = await startGateway(routes(upstream.port), { engine: create(), handlers: [sendsOwn] });
    const body = Buffer.alloc(length, "a");
    expect((await fetch(`${gateway.origin}/one`, { method: "POST", body })).status).toBe(413);
    answersAtOnce = false;
    const leaving = new AbortController();
    const left = fetch(`${gateway.origin}/one`, { method: "POST", body, signal: leaving.signal });
    while (upstream.requests.length < 2) await pause(10);
    leaving.abort();
    await expect(left).rejects.toThrow("abort");
    await pause(moment);
    await gateway.close();
    await upstream.close();
  });
});

function routes(Port: number): object {
  const host = { Host: "127.0.0.1", Port };
  const route = { Key: "a", UpstreamPathTemplate: "/one", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [host] };
  return { Routes: [route], Aggregates: [{ UpstreamPathTemplate: "/all", RouteKeys: ["a"] }] };
}

import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { places, sendThrough } from "./forwarded-request.ts";

const keepRaw = (req: object, _res: object, bytes: Buffer) => void Object.assign(req, { rawBody: bytes });

/** A parser that keeps what it has decompressed. */
const parser = express.json({ verify: keepRaw });

const rawParser = express.raw({ type: "*/*", verify: keepRaw });

/** Middleware that keeps what came, as functions of a cloud have it. */
const collector: RequestHandler = (req, _res, next) => {
  const pieces: Buffer[] = [];
  req.on("data", (piece: Buffer) => pieces.push(piece));
  req.on("end", () => {
    Object.assign(req, { rawBody: Buffer.concat(pieces) });
    next();
  });
};

type Compress = (text: string) => Buffer;

const long = JSON.stringify({ text: "0123456789".repeat(50) });

/** The same in gzip, made longer by an extra field of its head (RFC 1952, 2.3.1.1). */
function withPadding(gzip: Buffer, length: number): Buffer {
  const head = Buffer.from(gzip.subarray(0, 10));
  head[3]! |= 4;
  return Buffer.concat([head, Buffer.from([length % 256, length >> 8]), Buffer.alloc(length), gzip.subarray(10)]);
}

/** JSON that is as long as what a coding makes of it. */
function ofOwnLength(compress: Compress): string {
  for (let length = 0; ; length += 1) {
    const text = JSON.stringify({ id: length, name: "tea", note: "a".repeat(length % 40), kind: "tea" });
    if (compress(text).length === text.length) return text;
  }
}

type Coding = Readonly<{ coding: string; compress: Compress }>;

const codings: readonly Coding[] = [
  { coding: "gzip", compress: (text) => gzipSync(text) },
  { coding: "x-gzip", compress: (text) => gzipSync(text) },
  { coding: "deflate", compress: (text) => deflateSync(text) },
  { coding: "zstd", compress: (text) => zstdCompressSync(text) },
  { coding: "br, GZIP", compress: (text) => gzipSync(brotliCompressSync(text)) },
];

describe.each(engines)("the coding of bytes that middleware has kept ($name)", ({ create }) => {
  describe.each(places)("%s", (place) => {
    type Sent = Readonly<{ body: Buffer; coding: string; isChunked?: boolean; type?: string }>;

    async function send(handler: RequestHandler, { body, coding, isChunked = false, type = "application/json" }: Sent) {
      const framing = isChunked ? { "transfer-encoding": "chunked" } : { "content-length": body.length };
      const headers = { "content-type": type, "content-encoding": coding, ...framing };
      const passage = { engine: create(), place, handlers: [handler], send: { method: "POST", body, headers } };
      const { arrived } = await sendThrough(passage);
      return [arrived?.headers["content-encoding"], arrived?.body.toString("latin1")];
    }

    test.each(codings.filter(({ coding }) => coding === "gzip" || coding === "deflate"))(
      "$coding that a parser has decompressed is plain, however long it is",
      async ({ coding, compress }) => {
        const text = ofOwnLength(compress);
        expect(await send(parser, { body: compress(text), coding })).toEqual([undefined, text]);
        expect(await send(parser, { body: compress(long), coding })).toEqual([undefined, long]);
        expect(await send(parser, { body: compress(text), coding, isChunked: true })).toEqual([undefined, text]);
      },
    );

    test.each(codings)("$coding that was kept as it came stays what it is", async ({ coding, compress }) => {
      const body = compress(long);
      const asSent = [coding, body.toString("latin1")];
      expect(await send(collector, { body, coding })).toEqual(asSent);
      expect(await send(collector, { body, coding, isChunked: true })).toEqual(asSent);
    });

    test("br that was kept as it came is known by its told length", async () => {
      const body = brotliCompressSync(long);
      expect(await send(collector, { body, coding: "br" })).toEqual(["br", body.toString("latin1")]);
      expect(await send(parser, { body, coding: "br" })).toEqual([undefined, long]);
    });

    test("a coding that nobody knows goes on with bytes of the told length", async () => {
      for (const coding of ["__proto__", "constructor", "aes128gcm", "br, unknown"])
        expect(await send(collector, { body: Buffer.from("bytes"), coding })).toEqual([coding, "bytes"]);
    });

    test.each([
      ["a form", express.urlencoded({ extended: false, verify: keepRaw }), "application/x-www-form-urlencoded"],
      ["a text", express.text({ verify: keepRaw }), "text/plain"],
      ["bytes", rawParser, "application/octet-stream"],
    ])("%s that was compressed twice is for the service what middleware has seen", async (_what, handler, type) => {
      const inner = withPadding(gzipSync("role=admin"), 500);
      const outer = gzipSync(inner);
      const body = withPadding(outer, inner.length - outer.length - 2);
      const plain = [undefined, inner.toString("latin1")];
      expect(body).toHaveLength(inner.length);
      expect(await send(handler, { body, coding: "gzip", type })).toEqual(plain);
      expect(await send(handler, { body, coding: "gzip", type, isChunked: true })).toEqual(plain);
      const deflated = deflateSync("role=admin");
      const twice = { body: deflateSync(deflated), coding: "deflate", type, isChunked: true };
      expect(await send(handler, twice)).toEqual([undefined, deflated.toString("latin1")]);
    });

    test("what was kept as it came stays compressed behind a parser of Express 4 that has left it alone", async () => {
      const body = gzipSync(long);
      const asSent = ["gzip", body.toString("latin1")];
      const leftAlone: RequestHandler = (req, res, next) => {
        req.body = {};
        collector(req, res, next);
      };
      expect(await send(leftAlone, { body, coding: "gzip" })).toEqual(asSent);
      expect(await send(leftAlone, { body, coding: "gzip", isChunked: true })).toEqual(asSent);
    });

    test("a compressed file that a parser has decompressed once is what the file was", async () => {
      const file = gzipSync(long);
      const sent = { body: gzipSync(file), coding: "gzip" };
      const plain = [undefined, file.toString("latin1")];
      expect(await send(rawParser, sent)).toEqual(plain);
      expect(await send(rawParser, { ...sent, isChunked: true })).toEqual(plain);
    });
  });

  test("a body that all parts of an aggregate get goes out as it came, whatever its coding says", async () => {
    const upstream = await startUpstream();
    const route = (Key: string) => ({
      Key,
      UpstreamPathTemplate: `/${Key}`,
      DownstreamPathTemplate: `/${Key}`,
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    });
    const aggregate = { UpstreamPathTemplate: "/both", UpstreamHttpMethod: ["POST"], RouteKeys: ["a", "b"] };
    const config = { Routes: [route("a"), route("b")], Aggregates: [aggregate] };
    const gateway = await startGateway(config, { engine: create() });
    const headers = { "content-encoding": "gzip" };
    await fetch(`${gateway.origin}/both`, { method: "POST", headers, body: "no gzip at all" });
    expect(upstream.requests.map((arrived) => [arrived.headers["content-encoding"], arrived.body.toString()])).toEqual([
      ["gzip", "no gzip at all"],
      ["gzip", "no gzip at all"],
    ]);
    await gateway.close();
    await upstream.close();
  });
});

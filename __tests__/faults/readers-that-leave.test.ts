import { once } from "node:events";
import net from "node:net";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { DelegatingHandler, GatewayOptions, Responder } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Reads a body for as long as its client is there, and takes its listeners off then. */
async function readAll(body: Readable, signal: AbortSignal): Promise<Buffer> {
  const pieces: Buffer[] = [];
  body.on("data", (piece: Buffer) => pieces.push(piece));
  await finished(body, { signal });
  return Buffer.concat(pieces);
}

describe.each(engines)("a body that code reads until its client leaves ($name)", ({ create }) => {
  test.each<[where: string, isCached: boolean]>([
    ["a handler", false],
    ["a handler", true],
    ["a responder", false],
    ["a responder", true],
  ])("fails for that code alone: %s, with a cache: %s", async (where, isCached) => {
    const upstream = await startUpstream((_req, res) => void res.write("first half"));
    const failed = Promise.withResolvers<unknown>();
    const read = (body: Readable, signal: AbortSignal): Promise<Buffer> =>
      readAll(body, signal).catch((error: unknown) => {
        failed.resolve(error);
        throw error;
      });
    const handler: DelegatingHandler = async (_outgoing, next, context) => {
      const answer = await next();
      answer.body = await read(answer.body, context.signal);
      return answer;
    };
    const responder: Responder = async (answer, { signal }, respond) => {
      answer.body = await read(answer.body, signal);
      await respond();
    };
    const options: GatewayOptions = where === "a handler" ? { handlers: [handler] } : { responder };
    const route = {
      UpstreamPathTemplate: "/x",
      DownstreamPathTemplate: "/x",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      ...(isCached && { CacheOptions: { TtlSeconds: 20 } }),
    };
    const { port, close } = await startGateway({ Routes: [route] }, { engine: create(), ...options });
    cleanups.push(upstream.close, close);
    const asked = once(upstream.server, "request");
    const client = net.connect(port, "127.0.0.1").on("error", () => undefined);
    client.write("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
    await asked;
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.resetAndDestroy();
    expect(await failed.promise).toBeInstanceOf(Error);
    await new Promise((resolve) => setImmediate(resolve));
  });
});

import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import net from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { fromMiddleware } from "../../src/index.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function readPieces(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

type SignedRequest = IncomingMessage & { rawBody?: Buffer };

/** Ways to read a body that iterate over it. */
const ways: readonly (readonly [how: string, read: (req: Readable) => Promise<Buffer>])[] = [
  ["node:stream/consumers", buffer],
  ["for await", readPieces],
  ["iterator()", (req) => readPieces(req.iterator())],
  ["toArray()", async (req) => Buffer.concat((await req.toArray()) as Buffer[])],
  ["map()", (req) => readPieces(req.map((piece: Buffer) => piece))],
  ["an asynchronous function behind pipeline()", (req) => pipeline(req, readPieces)],
  ["the body of a Response", async (req) => Buffer.from(await new Response(req as never).arrayBuffer())],
];

describe.each(ways)("a scheme that reads the body by %s", (_how, read) => {
  async function start() {
    const upstream = await startUpstream();
    const readSignature = async (req: SignedRequest): Promise<void> => {
      await sleep(1);
      req.rawBody = await read(req);
    };
    const scheme = fromMiddleware(
      (req: SignedRequest, _res, next) => void readSignature(req).then(() => next(), next),
      ({ rawBody }: SignedRequest) => (rawBody?.toString() === "signed" ? { sub: "ada" } : undefined),
    );
    const route = {
      UpstreamPathTemplate: "/x",
      DownstreamPathTemplate: "/x",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKeys: ["Signed"] },
    };
    const running = await startGateway({ Routes: [route] }, { authentication: { Signed: scheme } });
    cleanups.push(upstream.close, running.close);
    return { ...running, upstream };
  }

  const head = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nConnection: close\r\n\r\n";

  /** Sends a head, and pieces of a body when the scheme is at them. */
  async function send(port: number, pieces: readonly string[]): Promise<net.Socket> {
    const client = net.connect(port, "127.0.0.1").on("error", () => undefined);
    client.write(head);
    for (const piece of pieces) {
      await sleep(20);
      client.write(piece);
    }
    return client;
  }

  test("has all of it, however it comes in", async () => {
    const { port, upstream } = await start();
    for (const pieces of [["signed"], ["sig", "ned"]]) {
      const client = await send(port, pieces);
      expect((await buffer(client)).toString()).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(upstream.requests).toHaveLength(2);
  });

  test("fails for a client that leaves half-way, and for nobody else", async () => {
    const { port, upstream } = await start();
    const client = await send(port, ["sig"]);
    await sleep(20);
    client.resetAndDestroy();
    await once(client, "close");
    await sleep(20);
    expect(upstream.requests).toHaveLength(0);
    expect((await buffer(await send(port, ["wrong!"]))).toString()).toMatch(/^HTTP\/1\.1 401 /);
  });
});

import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import net from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import type { RequestHandler } from "express";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";

const first = 100_000;
const rest = 200_000;

/** Ways to take an upload, whose length they come to. */
const readers: readonly (readonly [how: string, read: (req: IncomingMessage) => Promise<number>])[] = [
  ["pipes it", (req) => lengthOf(req.pipe(new PassThrough()))],
  ["pipes it slowly", (req) => lengthOf(req.pipe(new PassThrough({ highWaterMark: 1 })), 1)],
  ["pipes it, and reads it a while later", (req) => lengthLater(req.pipe(new PassThrough()))],
  ["listens to it", (req) => lengthByEvents(req)],
  ["iterates over it", (req) => lengthOf(req)],
];

async function lengthOf(stream: AsyncIterable<unknown>, pause?: number): Promise<number> {
  let length = 0;
  for await (const piece of stream) {
    length += (piece as Buffer).length;
    if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return length;
}

async function lengthLater(stream: PassThrough): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 200));
  return lengthOf(stream);
}

async function lengthByEvents(req: IncomingMessage): Promise<number> {
  let length = 0;
  req.on("data", (piece: Buffer) => (length += piece.length));
  await once(req, "end");
  return length;
}

const framings = [
  ["of told length", `Content-Length: ${first + rest}`, "", ""],
  ["in chunks", "Transfer-Encoding: chunked", `${first.toString(16)}\r\n`, `\r\n${rest.toString(16)}\r\n`],
] as const;

function startWith(middleware: RequestHandler): Promise<RunningGateway> {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: 1 }];
  return startGateway(
    { Routes: [{ UpstreamPathTemplate: "/jobs", DownstreamPathTemplate: "/", DownstreamHostAndPorts }] },
    { middleware: [middleware] },
  );
}

describe.each(readers)("middleware that answers 202 and then %s", (_how, read) => {
  test.each(framings)("gets all of an upload %s", async (_framing, header, beforeFirst, beforeRest) => {
    const taken = Promise.withResolvers<number>();
    const accept: RequestHandler = (req, res) => {
      read(req).then(taken.resolve, taken.reject);
      res.writeHead(202).end("accepted");
    };
    const running = await startWith(accept);
    const client = net.connect(running.port, "127.0.0.1").setEncoding("latin1");
    client.write(`POST /jobs HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n${beforeFirst}${"a".repeat(first)}`);
    let answer = "";
    while (!answer.includes("accepted")) answer += String(await once(client, "data"));
    client.write(beforeRest + "b".repeat(rest) + (beforeRest === "" ? "" : "\r\n0\r\n\r\n"));
    expect(await taken.promise).toBe(first + rest);
    client.destroy();
    await running.close();
  });
});

/** Ways to lead an upload to where nobody reads it yet. */
const unread: readonly (readonly [where: string, lead: (req: IncomingMessage) => unknown])[] = [
  ["a digest", (req) => req.pipe(createHash("sha256"))],
  ["a stream", (req) => req.pipe(new PassThrough())],
  ["a stream behind another one", (req) => req.pipe(new PassThrough()).pipe(new PassThrough())],
  ["a stream that it is taken from again", (req) => void req.unpipe(req.pipe(new PassThrough()))],
];

test.each(unread)(
  "of an upload into %s nothing is held when its client has left behind the 202",
  async (_where, lead) => {
    const requests: WeakRef<IncomingMessage>[] = [];
    const accept: RequestHandler = (req, res) => {
      requests.push(new WeakRef(req));
      lead(req);
      res.writeHead(202).end("accepted");
    };
    const running = await startWith(accept);
    const given = 5;
    for (let count = 0; count < given; count++) await giveUp(running.port);
    await running.close();
    // The gateway has no connection any more.
    const isHeld = (): boolean => requests.some((request) => request.deref() !== undefined);
    for (let round = 0; round < 20 && isHeld(); round++) {
      await new Promise(setImmediate);
      collectGarbage();
    }
    expect(requests.map((request) => request.deref()?.url)).toEqual(Array.from({ length: given }, () => undefined));
  },
);

/** Begins an upload, and leaves behind its answer. */
async function giveUp(port: number): Promise<void> {
  const client = net.connect(port, "127.0.0.1").setEncoding("latin1");
  client.write(`POST /jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nz`);
  let answer = "";
  while (!answer.includes("accepted")) answer += String(await once(client, "data"));
  client.destroy();
  await once(client, "close");
}

test("an upload that its reader leaves behind the 202 keeps its connection from nothing", async () => {
  const accept: RequestHandler = (req, res) => {
    if (req.method === "GET") return void res.end("second");
    const taking = req.pipe(new PassThrough());
    res.writeHead(202).end("accepted");
    taking.once("data", () => req.unpipe(taking));
  };
  const running = await startWith(accept);
  const client = net.connect(running.port, "127.0.0.1").setEncoding("latin1");
  const length = 4_000_000;
  client.write(`POST /jobs HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`);
  let answers = "";
  client.on("data", (text: string) => (answers += text));
  while (!answers.includes("accepted")) await once(client, "data");
  client.write("a".repeat(length) + "GET /jobs HTTP/1.1\r\nHost: a\r\n\r\n");
  while (!answers.includes("second")) await once(client, "data");
  client.destroy();
  await running.close();
});

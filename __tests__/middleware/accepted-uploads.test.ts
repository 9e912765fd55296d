import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import net from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import type { RequestHandler } from "express";
import { startWith } from "./start-with.ts";

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

import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import net from "node:net";
import { PassThrough } from "node:stream";
import { expect, test } from "@jest/globals";
import type { RequestHandler } from "express";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { startWith } from "./start-with.ts";

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

import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import zlib from "node:zlib";
import { afterEach, describe, expect, test } from "@jest/globals";
import { metadataResponder } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type OneRoute, startOneRoute } from "./one-route.ts";

async function textUntil(answer: IncomingMessage, expected: string): Promise<string> {
  let text = "";
  for await (const [chunk] of streamOf(answer)) {
    text += String(chunk);
    if (text.length >= expected.length) return text;
  }
  return text;
}

async function* streamOf(answer: IncomingMessage): AsyncGenerator<[Buffer]> {
  while (!answer.readableEnded) {
    const chunk = answer.read() as Buffer | null;
    if (chunk === null) await Promise.race([once(answer, "readable"), once(answer, "end")]);
    else yield [chunk];
  }
}

const compressors = {
  br: () => zlib.createBrotliCompress(),
  gzip: () => zlib.createGzip(),
  zstd: () => zlib.createZstdCompress(),
} as const;

const bodies = [
  { title: "wrapped", type: "application/json", coding: undefined },
  { title: "decompressed", type: "text/plain", coding: "gzip" },
  { title: "decompressed and wrapped", type: "application/json", coding: "gzip" },
] as const;

describe.each(engines)("$name", ({ create }) => {
  let running: OneRoute | undefined;

  afterEach(async () => {
    await running?.close();
    running = undefined;
  });

  /** Starts a route whose upstream hands its answers to the test. */
  async function startAndAsk(
    type: string,
    coding?: string,
  ): Promise<{ sent: ServerResponse; received: Promise<IncomingMessage> }> {
    let arrived: (res: ServerResponse) => void = () => undefined;
    const answering = new Promise<ServerResponse>((resolve) => (arrived = resolve));
    running = await startOneRoute((_req, res) => arrived(res), { responder: metadataResponder(), engine: create() });
    const received = new Promise<IncomingMessage>((resolve, reject) => {
      http.get({ port: running!.port, path: "/", agent: false }, resolve).on("error", reject);
    });
    const sent = await answering;
    sent.writeHead(200, { "content-type": type, ...(coding === undefined ? {} : { "content-encoding": coding }) });
    sent.flushHeaders();
    return { sent, received };
  }

  describe("what the upstream has sent so far is with the client while the rest is still to come", () => {
    test("wrapped", async () => {
      const { sent, received } = await startAndAsk("application/json");
      sent.write("[1,");
      const answer = await received;
      const beginning = '{"Response": [1,';
      expect(await textUntil(answer, beginning)).toBe(beginning);
      sent.end("2]");
      const end = '2], "Metadata": {"a":"b"}}';
      expect(await textUntil(answer, end)).toBe(end);
    });

    test.each(Object.keys(compressors) as (keyof typeof compressors)[])(
      "compressed with %s, and wrapped",
      async (coding) => {
        const { sent, received } = await startAndAsk("application/json", coding);
        const compressor = compressors[coding]();
        compressor.pipe(sent);
        compressor.write("[1,");
        compressor.flush();
        const answer = await received;
        const beginning = '{"Response": [1,';
        expect(await textUntil(answer, beginning)).toBe(beginning);
        compressor.end("2]");
        const end = '2], "Metadata": {"a":"b"}}';
        expect(await textUntil(answer, end)).toBe(end);
      },
    );
  });

  describe.each(bodies)("a body that is $title", ({ type, coding }) => {
    const chunk = Buffer.alloc(65_536, "1");

    /** Not compressed any smaller, so that what is written is what is sent. */
    function openBody(sent: ServerResponse): Writable {
      if (coding === undefined) return sent;
      const compressor = zlib.createGzip({ level: 0 });
      compressor.pipe(sent);
      return compressor;
    }

    test("the upstream is not read faster than the client reads", async () => {
      const { sent, received } = await startAndAsk(type, coding);
      const body = openBody(sent);
      body.write(chunk);
      const answer = await received;
      answer.pause();
      const most = 1_000;
      let written = 1;
      // All buffers on the way are full when they stay full: those of the system included.
      while (written < most && (await hasRoom(body))) {
        body.write(chunk);
        written += 1;
      }
      expect(written).toBeLessThan(most);
      answer.destroy();
      await once(sent, "close");
    });

    test("a client that leaves ends the upstream's answer", async () => {
      const { sent, received } = await startAndAsk(type, coding);
      openBody(sent).write(chunk);
      const answer = await received;
      answer.destroy();
      await once(sent, "close");
      expect(sent.writableFinished).toBe(false);
    });
  });
});

async function hasRoom(body: Writable): Promise<boolean> {
  if (!body.writableNeedDrain) return true;
  return Promise.race([once(body, "drain").then(() => true), wait(500, false)]);
}

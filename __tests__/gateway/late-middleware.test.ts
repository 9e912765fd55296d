import { once } from "node:events";
import type { ServerResponse } from "node:http";
import net from "node:net";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import { createGateway, parseConfig, problemDetails, upgradeThrough } from "../../src/index.ts";
import { serve } from "../helpers/start-gateway.ts";

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** An app whose gateway has middleware, and which carries out itself what leaves it. */
async function start(
  middleware: RequestHandler | RequestHandler[],
  behind: RequestHandler = (_req, res) => void res.send("behind"),
) {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
    Limits: { Upload: 0.1 },
  };
  const gateway = createGateway(parseConfig({ Routes: [route] }), { logger: false, middleware: [middleware].flat() });
  const app = express()
    .use(gateway)
    .post("/x", behind)
    .use(problemDetails({ logger: false }));
  const running = await serve(app, gateway);
  running.server.on("upgrade", upgradeThrough(app, { logger: false }));
  cleanups.push(running.close);
  return running.port;
}

/** Sends pieces one by one, and gives what has come back once `until` is there. */
function connect(port: number) {
  const client = net.connect(port, "127.0.0.1").setEncoding("latin1");
  let received = "";
  client.on("data", (text: string) => (received += text)).on("error", () => undefined);
  return {
    client,
    received: () => received,
    until: async (text: string) => {
      while (!received.includes(text)) await once(client, "data");
    },
  };
}

const head = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n";

describe("middleware that is late behind the refusal of the upload that it reads", () => {
  const ends: readonly (readonly [what: string, end: (client: net.Socket) => unknown])[] = [
    ["sends the rest", (client) => client.write('":12345}')],
    ["closes", (client) => client.end()],
    ["resets", (client) => client.resetAndDestroy()],
  ];

  test.each(ends)("writes into nothing: its client %s", async (_what, end) => {
    const called = Promise.withResolvers<boolean>();
    const port = await start((req, res) => {
      express.json()(req, res, (error?: unknown) => {
        called.resolve(res.headersSent);
        res.status(error === undefined ? 201 : 400).json({ late: true });
      });
    });
    const { client, until, received } = connect(port);
    client.write(`${head}{"`);
    await until('"code":"upload-stalled"');
    end(client);
    expect(await called.promise).toBe(true);
    await sleep(10);
    client.destroy();
    expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 408"]);
    expect(received()).not.toContain("late");
  });

  test("writes nothing ahead of an answer either", async () => {
    const late = Promise.withResolvers<void>();
    const hints: RequestHandler = (_req, res) => {
      const { writeInformation } = res as { writeInformation?: (status: number, headers: object) => void };
      if (writeInformation !== undefined) writeInformation.call(res, 103, { link: "</a>; rel=preload" });
      res.writeEarlyHints({ link: "</a>; rel=preload" });
      res.flushHeaders();
      late.resolve();
    };
    const port = await start([express.json(), hints]);
    const { client, until, received } = connect(port);
    client.write(`${head}{"`);
    await until('"code":"upload-stalled"');
    client.write('":12345}');
    await late.promise;
    await once(client, "close");
    expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 408"]);
  });

  test("leads nothing out of the gateway", async () => {
    const called = Promise.withResolvers<void>();
    const behind: unknown[] = [];
    const leaves: RequestHandler = (_req, _res, next) => {
      called.resolve();
      next("router");
    };
    const port = await start([express.json(), leaves], (req, res) => {
      behind.push(req.body);
      res.send("carried out");
    });
    const { client, until } = connect(port);
    client.write(`${head}{"`);
    await until('"code":"upload-stalled"');
    client.write('":12345}');
    await called.promise;
    await sleep(10);
    client.destroy();
    expect(behind).toEqual([]);
  });
});

test.each(["", "Connection: Upgrade\r\nUpgrade: h2c\r\n"])(
  "an upload that middleware stops reading in the midst of its pieces is answered (%j)",
  async (more) => {
    const middleware: RequestHandler = (req, _res, next) => {
      const controller = new AbortController();
      let length = 0;
      req.on("data", (piece: Buffer) => {
        length += piece.length;
        if (length > 1_000) controller.abort();
      });
      const { signal } = controller;
      const nowhere = new Writable({ write: (_piece, _coding, done) => done() });
      const failed = (): void => next(Object.assign(new Error("too long"), { status: 413 }));
      void pipeline(req, nowhere, { signal }).then(() => next(), failed);
    };
    const port = await start(middleware);
    const { client, until } = connect(port);
    client.write(`POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${more}\r\n`);
    const chunk = (length: number): string => `${length.toString(16)}\r\n${"x".repeat(length)}\r\n`;
    client.write(chunk(900));
    await sleep(50);
    client.write(chunk(200) + chunk(1).repeat(200));
    await until("HTTP/1.1 413");
    client.destroy();
    await sleep(10);
  },
);

test("a refused upload has one answer, behind which its connection ends, where middleware keeps heads back", async () => {
  const keepBack: RequestHandler = (_req, res, next) => {
    const writeHead = Reflect.get<ServerResponse, "writeHead">(res, "writeHead");
    const end = Reflect.get<ServerResponse, "end">(res, "end");
    let isReady = false;
    res.writeHead = (status: number, ...rest: unknown[]) => {
      if (isReady) return Reflect.apply(writeHead, res, [status, ...rest]) as never;
      res.statusCode = status;
      return res;
    };
    res.write = () => true;
    res.end = () => {
      setImmediate(() => {
        isReady = true;
        Reflect.apply(end, res, []);
      });
      return res;
    };
    next();
  };
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
    Limits: { Body: 5 },
  };
  const gateway = createGateway(parseConfig({ Routes: [route] }), { logger: false });
  const { port, close } = await serve(express().use(keepBack, gateway, problemDetails({ logger: false })), gateway);
  cleanups.push(close);
  const { client, received } = connect(port);
  client.write("HEAD /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n01234");
  await sleep(50);
  client.write("56789GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(client, "close");
  expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"]);
});

import { once } from "node:events";
import { readFileSync } from "node:fs";
import http, { type RequestListener } from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, createGateway, type GatewayHandler, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { closeServer } from "../helpers/start-upstream.ts";
import { until } from "../reload/scene.ts";
import { startManualUpstream, watch } from "./wire.ts";

const pem = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
const identity = { key: pem("key"), cert: pem("cert") };

const transports = {
  TCP: { create: (app: RequestListener) => http.createServer(app), dial: (port: number) => net.connect(port) },
  TLS: {
    create: (app: RequestListener) => https.createServer(identity, app),
    dial: (port: number) => tls.connect({ port, rejectUnauthorized: false }),
  },
};

const rest = Buffer.alloc(2_000_000, "x");
const long = "y".repeat(100_000);
const early = "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nearly";
const inChunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const closing = "HTTP/1.1\r\nHost: gw.example\r\nConnection: close\r\n";
const keeping = "HTTP/1.1\r\nHost: gw.example\r\n";
const old = "HTTP/1.0\r\n";

const closeBehind: GatewayHandler = (_req, res, next) => {
  res.setHeader("Connection", "close");
  next();
};

type Scene = Readonly<{
  /** The request of the client, without what tells of its body. */
  head: string;
  /** What the upstream answers when it has the beginning of the upload; undefined where it is not asked. */
  answer?: string;
  /** What the client must have read in the end. */
  expected: string;
  options?: GatewayOptions;
}>;

const scenes: Readonly<Record<string, Scene>> = {
  "a short one": { head: `POST /up ${closing}`, answer: early, expected: "early" },
  "a short one of HTTP/1.0": { head: `POST /up ${old}`, answer: early, expected: "early" },
  "one whose head says close by the word of middleware": {
    head: `POST /up ${keeping}`,
    answer: early,
    expected: "early",
    options: { middleware: [closeBehind] },
  },
  "a long one": {
    head: `POST /up ${closing}`,
    answer: `HTTP/1.1 200 OK\r\nContent-Length: ${long.length}\r\n\r\n${long}`,
    expected: long,
  },
  "a stream": {
    head: `POST /up ${closing}`,
    answer: `${inChunks}4\r\nlast\r\n0\r\n\r\n`,
    expected: "last\r\n0\r\n\r\n",
  },
  "a stream that the end of the connection delimits": {
    head: `POST /up ${old}`,
    answer: `${inChunks}4\r\nlast\r\n0\r\n\r\n`,
    expected: "last",
  },
  "one without a body": {
    head: `POST /up ${closing}`,
    answer: "HTTP/1.1 204 No Content\r\n\r\n",
    expected: "HTTP/1.1 204 No Content",
  },
  "one of a handler": {
    head: `POST /up ${closing}`,
    expected: "handled",
    options: { handlers: [async () => createAnswer({ status: 200, body: "handled" })] },
  },
  "one of a plain server whose gateway has no such route": {
    head: `POST /nowhere ${closing}`,
    expected: '"code":"no-route"',
  },
};

const rows = engines.flatMap(({ name, create }) =>
  Object.entries(transports).map(([transport, parts]) => ({ name, transport, engine: create, ...parts })),
);

/** A plain server around a gateway, and an upstream that a test plays by hand. */
async function start({ engine, create }: (typeof rows)[number], options: GatewayOptions = {}) {
  const upstream = await startManualUpstream();
  const target = { Host: "127.0.0.1", Port: upstream.port };
  const route = { UpstreamPathTemplate: "/up", DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [target] };
  const config = parseConfig({ Routes: [route] }, { logger: false });
  const gateway = createGateway(config, { engine: engine(), logger: false, ...options });
  const server = create(gateway);
  const ownSideClosed = Promise.withResolvers<void>();
  server.on("request", ({ socket }) => socket.once("finish", ownSideClosed.resolve));
  const closed: Promise<unknown>[] = [];
  server.on("connection", (socket: net.Socket) => closed.push(once(socket, "close")));
  await once(server.listen(0), "listening");
  const { port } = server.address() as AddressInfo;
  return { port, upstream, ownSideClosed: ownSideClosed.promise, leave };

  /** Waits until the server has closed all of its connections by itself. */
  async function leave(): Promise<void> {
    expect(gateway.health().running).toBe(0);
    await Promise.all(closed);
    await gateway.close({ grace: 3_600 });
    await Promise.all([closeServer(server), upstream.close()]);
  }
}

describe.each(rows)("the last answer of a connection reaches a client that uploads, by $transport, $name", (row) => {
  test.each(Object.entries(scenes))("%s", async (_, { head, answer, expected, options }) => {
    const { port, upstream, ownSideClosed, leave } = await start(row, options);
    const client = watch(row.dial(port));
    // It reads nothing before all of its upload is out, as many clients do.
    client.socket.pause();
    client.write(`${head}Content-Length: ${rest.length + 5}\r\n\r\nbegin`);
    if (answer !== undefined) {
      const { until, write } = await upstream.next();
      await until("\r\n\r\n");
      write(answer);
    }
    await ownSideClosed.then(() => new Promise(setImmediate));
    await new Promise((resolve) => client.socket.write(rest, resolve));
    client.socket.resume();
    expect(await client.ended).toBe("closed");
    expect(client.received()).toContain(expected);
    await leave();
  });
});

test.each(rows)("an upload that has filled its connection before is read on, by $transport, $name", async (row) => {
  let bytesRead = (): number => 0;
  const awaitFull: GatewayHandler = async ({ socket }, _res, next) => {
    bytesRead = () => socket.bytesRead;
    await until(() => socket.isPaused());
    next();
  };
  const answer = async () => createAnswer({ status: 200, body: "handled" });
  const { port, leave } = await start(row, { middleware: [awaitFull], handlers: [answer] });
  const client = watch(row.dial(port));
  client.socket.pause();
  client.write(`POST /up ${closing}Content-Length: ${rest.length}\r\n\r\n`);
  await new Promise((resolve) => client.socket.write(rest, resolve));
  client.socket.resume();
  expect(await client.ended).toBe("closed");
  expect(client.received()).toContain("handled");
  await leave();
  expect(bytesRead()).toBeGreaterThan(rest.length);
});

test.each(rows)("what comes behind the upload is no request any more, by $transport, $name", async (row) => {
  const { port, upstream, ownSideClosed, leave } = await start(row);
  const client = watch(row.dial(port));
  client.socket.pause();
  client.write(`POST /up ${closing}Content-Length: 10\r\n\r\nbegin`);
  const { until, write } = await upstream.next();
  await until("\r\n\r\n");
  write(early);
  await ownSideClosed.then(() => new Promise(setImmediate));
  const begun: unknown[] = [];
  void upstream.next().then((wire) => begun.push(wire));
  await new Promise((resolve) => client.socket.write(`67890DELETE /up ${closing}\r\n`, () => resolve(undefined)));
  client.socket.resume();
  expect(await client.ended).toBe("closed");
  await leave();
  expect(begun).toEqual([]);
});

test("a client that sends nothing more behind the last answer of its connection does not keep it", async () => {
  const { port, upstream, ownSideClosed, leave } = await start(rows[0]!);
  const client = net.connect({ port, allowHalfOpen: true }).resume();
  client.write(`POST /up ${closing}Content-Length: 10\r\n\r\nbegin`);
  const { until, write } = await upstream.next();
  await until("begin");
  write(early);
  await ownSideClosed;
  await leave();
  client.destroy();
});

import { readFileSync } from "node:fs";
import http, { type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import { setImmediate as setImmediately } from "node:timers/promises";
import tls from "node:tls";
import { expect, test } from "@jest/globals";
import { upgradeThrough } from "../../src/index.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";

const pem = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
const identity = { key: pem("key"), cert: pem("cert") };

const transports = [
  {
    transport: "TCP",
    create: (app: RequestListener) => http.createServer(app),
    dial: (port: number): Socket => net.connect(port, "127.0.0.1"),
  },
  {
    transport: "TLS",
    create: (app: RequestListener) => https.createServer(identity, app),
    dial: (port: number): Socket => tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false }),
  },
];

const request = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n";
const manyRequests = Buffer.from(request.repeat(1_000));
const enough = 2_000;

test.each(transports)(
  "no more is read than is needed of a client that asks for other upgrades without end, by $transport",
  async ({ create, dial }) => {
    let [answered, most] = [0, 0];
    const allAnswered = Promise.withResolvers<void>();
    const answer: RequestListener = (req, res) => {
      most = Math.max(most, req.socket.readableLength);
      answered += 1;
      if (answered === enough) allAnswered.resolve();
      res.end();
    };
    const server = create(answer).on("upgrade", upgradeThrough(answer));
    const port = await listen(server);
    const client = dial(port).resume();
    const sendOn = (): void => {
      while (!client.destroyed && client.write(manyRequests));
    };
    client.on("drain", sendOn).on("error", () => undefined);
    sendOn();
    await allAnswered.promise;
    client.destroy();
    await closeServer(server);
    expect(most).toBeLessThan(300_000);
  },
);

test.each(transports)("long bodies behind hundreds of such requests come in whole, by $transport", async (row) => {
  const long = Buffer.alloc(3_000_000, "x");
  const arrived = Promise.withResolvers<number>();
  const answer: RequestListener = (req, res) => {
    let bytes = 0;
    req.on("data", (piece: Buffer) => (bytes += piece.length));
    req.on("end", () => {
      res.end();
      if (req.method === "POST") arrived.resolve(bytes);
    });
  };
  const server = row.create(answer).on("upgrade", upgradeThrough(answer));
  const client = row.dial(await listen(server)).resume();
  const upload = request.replace("GET", "POST").replace("Host", `Content-Length: ${long.length}\r\nHost`);
  client.write(Buffer.concat([manyRequests.subarray(0, 700 * request.length), Buffer.from(upload), long]));
  expect(await arrived.promise).toBe(long.length);
  client.destroy();
  await closeServer(server);
});

test.each(transports)(
  "what comes in late behind a request that waited for its turn is read, by $transport",
  async (row) => {
    const body = "x".repeat(40_000);
    const waiting: ServerResponse[] = [];
    const allCame = Promise.withResolvers<void>();
    let bytes = 0;
    const count = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes === body.length * 2) allCame.resolve();
    };
    const answer: RequestListener = (req, res) => {
      if (req.method === "GET") waiting.push(res);
      else req.on("data", count).on("end", () => res.end());
    };
    const server = row.create(answer).on("upgrade", upgradeThrough(answer));
    const client = row.dial(await listen(server)).resume();
    const post = `POST /x HTTP/1.1\r\nContent-Length: ${body.length}\r\nHost: a\r\n`;
    const first = `GET /x HTTP/1.1\r\nHost: a\r\n\r\n${post}Connection: upgrade\r\nUpgrade: other\r\n\r\n${body}`;
    const second = `${post}\r\n${body.slice(1)}`;
    client.write(first);
    while (waiting.length === 0) await setImmediately();
    const { socket } = waiting[0]!.req;
    // What comes next is held until the earlier request has its answer.
    while (socket.bytesRead < first.length || socket.readableFlowing !== true) await setImmediately();
    client.write(second);
    while (socket.bytesRead < first.length + second.length) await setImmediately();
    waiting[0]!.end();
    while (bytes < body.length * 2 - 1) await setImmediately();
    client.write(body.slice(0, 1));
    await allCame.promise;
    client.destroy();
    await closeServer(server);
  },
);

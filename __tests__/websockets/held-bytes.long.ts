import { readFileSync } from "node:fs";
import https from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import tls, { type TLSSocket } from "node:tls";
import { expect, test } from "@jest/globals";
import { upgradeThrough } from "../../src/index.ts";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";

const pem = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
const clients = 4;
const bytesOfEach = 60_000;
const handshake =
  "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";

test("clients that send byte by byte before their WebSockets stand take little memory", async () => {
  let arrived = 0;
  const server = https.createServer({ key: pem("key"), cert: pem("cert") });
  server.on("upgrade", (_req, socket) => socket.prependListener("data", ({ length }: Buffer) => (arrived += length)));
  const neverAnswers = () => undefined;
  server.on("upgrade", (req, socket, head) => upgradeThrough(neverAnswers).call(undefined, req, socket, head));
  const port = await listen(server);
  const sockets = await Promise.all(Array.from({ length: clients }, () => open(port)));
  const before = memoryInUse();

  for (let sent = 0; sent < bytesOfEach; sent += 500) {
    for (const socket of sockets) for (let byte = 0; byte < 500; byte += 1) socket.write("x");
    await Promise.all(sockets.map(drained));
  }
  while (arrived < clients * bytesOfEach) await wait(10);
  const taken = memoryInUse() - before;

  for (const socket of sockets) socket.destroy();
  await closeServer(server);
  expect(taken).toBeLessThan(10_000_000);
}, 60_000);

async function open(port: number): Promise<TLSSocket> {
  const socket = tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  socket.on("error", () => undefined);
  // Each write becomes a record of its own, however many wait.
  Object.assign(socket, { _writev: null });
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  socket.write(handshake);
  return socket;
}

function drained(socket: TLSSocket): Promise<void> {
  return new Promise((resolve) => socket.write("", () => resolve()));
}

function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + Math.max(external, arrayBuffers);
}

import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, jest, test } from "@jest/globals";
import { openTunnel } from "../../src/capabilities/websockets/tunnel.ts";
import { hurryUntil } from "../helpers/hurry.ts";

const ending: (() => void)[] = [];
afterEach(() => {
  jest.useRealTimers();
  for (const end of ending.splice(0)) end();
});

/** Two ends of a connection: of a peer that a test plays, and the tunnel's. */
async function connectPair(): Promise<{ peer: Socket; own: Socket }> {
  const server = net.createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const peer = net.connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  const [own] = await accepted;
  ending.push(() => {
    peer.destroy();
    own.destroy();
    server.close();
  });
  return { peer, own };
}

async function open(standstill: number) {
  const [client, service] = [await connectPair(), await connectPair()];
  const closed = Promise.withResolvers<void>();
  const ends = { client: client.own, upstream: service.own, head: Buffer.alloc(0) };
  openTunnel(ends, { idle: undefined, standstill, closed: closed.resolve });
  return { client: client.peer, service: service.peer, closed: closed.promise };
}

const { setTimeout: inTruth } = globalThis;

// More than the buffers of the system take.
const flood = Buffer.alloc(40_000_000);

test("a client that leaves while its service reads nothing is noticed", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  const { client, closed } = await open(400);
  client.write(flood);
  await new Promise((resolve) => inTruth(resolve, 300));
  client.resetAndDestroy();
  await hurryUntil(closed);
});

test("a service that reads nothing, and sends, is no standstill", async () => {
  const { client, service, closed } = await open(400);
  service.pause();
  let received = 0;
  client.on("data", ({ length }: Buffer) => (received += length));
  client.write(flood);
  let isOver = false;
  void closed.then(() => (isOver = true));
  for (let count = 1; count <= 15; count += 1) {
    service.write("x");
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect([isOver, received]).toEqual([false, 15]);
  client.destroy();
  service.destroy();
});

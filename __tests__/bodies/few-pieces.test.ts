import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { GatewayOptions } from "../../src/index.ts";
import { takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startFlood } from "../limits/flood-of-chunks.ts";
import { chunksOf } from "./chunks-of.ts";
import { untilTrue } from "./until-true.ts";

const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const oneByte = "1\r\na\r\n";
const end = "0\r\n\r\n";

/** What becomes of floods; in the short form one of both at each engine. */
const fates = [
  { fate: "is sent on", middleware: [] },
  { fate: "nobody reads", middleware: [answerAtOnce] },
  { fate: "is thrown away from the next turn on", middleware: [throwAwaySoon] },
];

/** By what Node tells whether it reads a connection (seen in 22 to 24). */
type ReadSocket = net.Socket & Readonly<{ _handle?: Readonly<{ reading: boolean }> | null }>;

describe.each(engines)("$name: the body of a request in short chunks", ({ create, turn }) => {
  let running: RunningGateway;
  let upstream: net.Server;
  /** What the service has got: the bytes of all its connections, in their order. */
  let arrived: string;
  let clients: net.Socket[];
  let accepted: net.Socket[];

  beforeEach(async () => {
    [arrived, clients, accepted] = ["", [], []];
    upstream = net.createServer((socket) => {
      clients.push(socket);
      socket.on("error", () => undefined);
      socket.setEncoding("latin1").on("data", (text: string) => {
        arrived += text;
        if (arrived.endsWith(end)) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      });
    });
    await once(upstream.listen(0, "127.0.0.1"), "listening");
  });

  afterEach(async () => {
    for (const client of clients) client.destroy();
    await running.close();
    upstream.close();
  });

  async function start(options: GatewayOptions = {}): Promise<void> {
    const target = { Host: "127.0.0.1", Port: (upstream.address() as AddressInfo).port };
    const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [target] };
    running = await startGateway({ Routes: [route] }, { engine: create(), ...options });
    running.server.on("connection", (socket: net.Socket) => accepted.push(socket));
  }

  async function connect(): Promise<net.Socket> {
    const client = net.connect(running.port, "127.0.0.1").on("error", () => undefined);
    clients.push(client);
    await once(client, "connect");
    return client;
  }

  test("arrives whole, in few chunks", async () => {
    await start();
    const count = 30_000;
    const client = await connect();
    client.write(head + oneByte.repeat(count) + end);
    const [answer] = (await once(client, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /);
    const chunks = chunksOf(arrived);
    expect(chunks.join("")).toBe("a".repeat(count));
    expect(chunks.length).toBeLessThan(count / 100);
  });

  test("arrives in its order, whatever the lengths of its chunks", async () => {
    await start();
    const lengths = [1, 1, 2_000, 1, 1_023, 1_024, 1, 20_000, 3, 3, 900, 900, 70_000, 1];
    const parts = Array.from({ length: 20 }, () => lengths).flat();
    const texts = parts.map((length, index) => String.fromCharCode(97 + (index % 26)).repeat(length));
    const client = await connect();
    client.write(head + texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("") + end);
    await once(client, "data");
    expect(chunksOf(arrived).join("") === texts.join("")).toBe(true);
  });

  test("goes on at once, though more of it is to come", async () => {
    await start();
    const client = await connect();
    client.write(head + oneByte);
    await untilTrue(() => arrived.endsWith("a") || arrived.endsWith("a\r\n"));
    client.write("1\r\nb\r\n1\r\nc\r\n2\r\nde\r\n");
    await untilTrue(() => arrived.includes("de"));
    client.write(end);
    await once(client, "data");
    expect(chunksOf(arrived).join("")).toBe("abcde");
  });

  test.each(takingTurns(fates, engines.length, turn))(
    "that $fate is read from one connection at a time, once in a turn",
    async ({ middleware }) => {
      await start({ middleware });
      const [most, turns] = [65_536, 30];
      const uploads = 8;
      const endFlood = startFlood({ port: running.port, path: "/", uploads });
      const read = (): number => accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
      // All have been read from by then, which took one turn.
      await untilTrue(() => read() > most * uploads * 2);
      const taken: number[] = [];
      // Where the service was slow, its client goes on as soon as it is not: one stretch may have more.
      for (let stretch = 0; stretch < 5; stretch += 1) {
        const before = read();
        for (let passed = 0; passed < turns; passed += 1) {
          await nextTurn();
          expect(accepted.filter(isReadWhilePaused).length).toBe(0);
        }
        taken.push(read() - before);
      }
      await endFlood();
      taken.sort((a, b) => a - b);
      expect(taken.at(-1)).toBeGreaterThan(0);
      expect(taken[2]).toBeLessThan(most * turns * 1.5);
    },
  );
});

function answerAtOnce(_req: unknown, res: ServerResponse): void {
  res.end("not read");
}

function throwAwaySoon(req: IncomingMessage): void {
  setImmediate(() => req.resume());
}

/** Whether all that a connection brings is read, although it has been paused. */
function isReadWhilePaused(socket: ReadSocket): boolean {
  return socket.isPaused() && socket._handle?.reading === true;
}

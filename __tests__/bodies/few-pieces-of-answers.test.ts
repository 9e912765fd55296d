import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { chunksOf } from "./chunks-of.ts";

const question = "GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n";
const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const oneByte = "1\r\na\r\n";
const end = "0\r\n\r\n";

/** A client, and the bytes that it has got. */
type Client = Readonly<{ socket: net.Socket; got: () => string }>;

describe.each(engines.slice(0, 1))("$name: an answer in short chunks", ({ create }) => {
  let running: RunningGateway;
  let upstream: net.Server;
  let sockets: net.Socket[];
  /** What the service does with the connections that ask it. */
  let answer: (socket: net.Socket) => void;
  let accepted: number;

  beforeEach(async () => {
    [sockets, accepted] = [[], 0];
    upstream = net.createServer((socket) => {
      accepted += 1;
      sockets.push(socket);
      socket.on("error", () => undefined).on("data", () => answer(socket));
    });
    await once(upstream.listen(0, "127.0.0.1"), "listening");
    const target = { Host: "127.0.0.1", Port: (upstream.address() as AddressInfo).port };
    const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [target] };
    running = await startGateway({ Routes: [route] }, { engine: create() });
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await running.close();
    upstream.close();
  });

  function ask(): Client {
    let got = "";
    const socket = net.connect(running.port, "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    socket.setEncoding("latin1").on("data", (text: string) => (got += text));
    socket.write(question);
    return { socket, got: () => got };
  }

  /** Asks for an answer of which only the head has come; returns the service's end of its connection as well. */
  async function begin(): Promise<Readonly<{ client: Client; service: net.Socket }>> {
    const told = Promise.withResolvers<net.Socket>();
    answer = (socket) => {
      socket.write(head);
      told.resolve(socket);
    };
    const client = ask();
    const service = await told.promise;
    await untilTrue(() => client.got().endsWith("\r\n\r\n"));
    return { client, service };
  }

  async function untilTrue(isThere: () => boolean): Promise<void> {
    while (!isThere()) await nextTurn();
  }

  test("arrives whole, in few chunks, and the next one on the same connections", async () => {
    const count = 30_000;
    answer = (socket) => socket.write(head + oneByte.repeat(count) + end);
    const client = ask();
    for (const times of [1, 2]) {
      if (times === 2) client.socket.write(question);
      await untilTrue(() => client.got().split(end).length > times);
      const chunks = chunksOf(client.got().slice(client.got().lastIndexOf("HTTP/1.1 ")));
      expect(chunks.join("")).toBe("a".repeat(count));
      expect(chunks.length).toBeLessThan(count / 50);
    }
    expect(accepted).toBe(1);
  });

  test("arrives in its order, whatever the lengths of its chunks, before its trailers", async () => {
    const lengths = [1, 1, 2_000, 1, 1_023, 1_024, 1, 20_000, 3, 3, 900, 900, 70_000, 1];
    const parts = Array.from({ length: 40 }, () => [...lengths, ...Array<number>(40).fill(2)]).flat();
    const texts = parts.map((length, index) => String.fromCharCode(97 + (index % 26)).repeat(length));
    const chunks = texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("");
    const withTrailer = head.replace("\r\n\r\n", "\r\nTrailer: X-Sum\r\n\r\n");
    answer = (socket) => socket.write(`${withTrailer}${chunks}0\r\nX-Sum: 42\r\n\r\n`);
    const client = ask();
    await untilTrue(() => client.got().endsWith("42\r\n\r\n"));
    expect(chunksOf(client.got()).join("") === texts.join("")).toBe(true);
    expect(client.got().toLowerCase().endsWith("\r\n0\r\nx-sum: 42\r\n\r\n")).toBe(true);
  });

  test("goes on at once, though more of it is to come", async () => {
    const { client, service } = await begin();
    service.write("7\r\ndata: a\r\n");
    await untilTrue(() => client.got().includes("data: a"));
    service.write("1\r\nb\r\n".repeat(200) + "2\r\ncd\r\n");
    await untilTrue(() => client.got().includes("cd"));
    service.write(end);
    await untilTrue(() => client.got().endsWith(end));
    expect(chunksOf(client.got()).join("")).toBe(`data: a${"b".repeat(200)}cd`);
  });

  test.each([
    ["closes its connection", (socket: net.Socket) => socket.end(oneByte.repeat(200))],
    ["sends what is no chunk", (socket: net.Socket) => socket.write(`${oneByte.repeat(200)}none\r\n`)],
  ])("goes to the client as far as it came, where the service %s", async (_what, breakOff) => {
    const { client, service } = await begin();
    breakOff(service);
    await once(client.socket, "close");
    expect(chunksOf(client.got()).join("")).toBe("a".repeat(200));
    expect(client.got().endsWith(end)).toBe(false);
  });

  test("waits for a client that does not read for a while, and arrives whole", async () => {
    const burst = oneByte.repeat(10_000);
    let left = 100;
    answer = (socket) => {
      socket.on("drain", writeOn).write(head);
      writeOn();

      function writeOn(): void {
        while (left > 0 && socket.write(burst)) left -= 1;
        if (left > 0) left -= 1;
        if (left === 0) socket.write(end);
        if (left === 0) left = -1;
      }
    };
    const client = ask();
    client.socket.pause();
    for (let turn = 0; turn < 300; turn += 1) await nextTurn();
    client.socket.resume();
    await untilTrue(() => client.got().endsWith(end));
    expect(chunksOf(client.got()).join("")).toHaveLength(1_000_000);
  });

  test("has its turn together with others that bring as little", async () => {
    const [answers, burst] = [200, oneByte.repeat(200)];
    const asked: net.Socket[] = [];
    answer = (socket) => {
      socket.write(head);
      asked.push(socket);
    };
    const clients = Array.from({ length: answers }, ask);
    await untilTrue(() => clients.every((client) => client.got().endsWith("\r\n\r\n")));
    for (const socket of asked) socket.write(burst);
    let turns = 0;
    const isThere = (client: Client): boolean => chunksOf(client.got()).join("").length === 200;
    for (; !clients.every(isThere); turns += 1) await nextTurn();
    expect(turns).toBeLessThan(answers / 2);
  });
});

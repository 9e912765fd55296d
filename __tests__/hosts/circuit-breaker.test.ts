import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import net from "node:net";
import { type Duplex, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import express from "express";
import {
  type DelegatingHandler,
  type GatewayOptions,
  parseConfig,
  UpstreamError,
  upgradeThrough,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { listen, startUpstream } from "../helpers/start-upstream.ts";
import { configOf, sendAgain, startHost, startHosts, type HostsGateway, type ToldHost } from "./start-hosts.ts";

const cleanups: (() => Promise<unknown>)[] = [];
let a: ToldHost;
let b: ToldHost;

beforeAll(async () => {
  [a, b] = await Promise.all([startHost("a"), startHost("b")]);
});
beforeEach(() => {
  a.does = b.does = 200;
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
afterAll(() => Promise.all([a.close(), b.close()]));

async function start(...given: Parameters<typeof startHosts>): Promise<HostsGateway> {
  const running = await startHosts(...given);
  cleanups.push(running.close);
  return running;
}

async function askTimes(gateway: HostsGateway, times: number): Promise<string[]> {
  const answers: string[] = [];
  for (let index = 0; index < times; index += 1) answers.push(await gateway.ask());
  return answers;
}

const handshake = {
  ...{ connection: "Upgrade", upgrade: "websocket" },
  ...{ "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
};

const twoInARow = { QoSOptions: { MinimumThroughput: 2, BreakDuration: 5_000 } };

describe.each(engines)("a host that fails is left alone: $name", ({ create }) => {
  test.each<{ title: string; does: ToldHost["does"]; answer: string; more?: object }>([
    { title: "it answers 503", does: 503, answer: "503" },
    { title: "it resets connections", does: "reset", answer: "502" },
    { title: "it does not answer in time", does: "hang", answer: "504", more: { Timeout: 500 } },
  ])("$title", async ({ does, answer, more }) => {
    a.does = does;
    const gateway = await start([a, b], { QoSOptions: { ...twoInARow.QoSOptions, ...more } }, { engine: create() });
    expect(await askTimes(gateway, 6)).toEqual([answer, "b", answer, "b", "b", "b"]);
    expect(gateway.changes).toMatchObject([{ kind: "breaker", name: a.origin, state: "open" }]);
  });

  test.each([
    ["too long", "long head"],
    ["ill-formed", "odd head"],
  ] as const)("but not for answers whose heads are %s: services repeat what clients send", async (_what, head) => {
    a.does = head;
    const gateway = await start([a], twoInARow, { engine: create() });
    expect(await askTimes(gateway, 3)).toEqual(["502", "502", "502"]);
    a.does = 500;
    expect(await askTimes(gateway, 2)).toEqual(["500", "500"]);
    gateway.clock.now += 5_000;
    a.does = head;
    expect(await gateway.ask()).toBe("502");
    a.does = 200;
    expect(await gateway.ask()).toBe("a");
    expect(gateway.changes.map(({ state }) => state)).toEqual(["open", "half-open", "closed"]);
  });

  test("nobody listens: the next host answers, and the first is not asked any more", async () => {
    const gone = await startHost("gone");
    cleanups.push(gone.close);
    await gone.refuse();
    const gateway = await start([gone, b], twoInARow, { engine: create() });
    expect(await askTimes(gateway, 4)).toEqual(["b", "b", "b", "b"]);
    expect(gateway.changes).toMatchObject([{ name: gone.origin, state: "open" }]);
  });

  test("where all are left alone, requests are refused, and told when to come back", async () => {
    a.does = 500;
    const gateway = await start([a], twoInARow, { engine: create() });
    expect(await askTimes(gateway, 3)).toEqual(["500", "500", "503 in 5 s"]);
    gateway.clock.now += 4_200;
    expect(await gateway.ask()).toBe("503 in 1 s");
  });

  test("after the break one request tries it, and a good answer puts it back into its turns", async () => {
    a.does = 500;
    const gateway = await start([a, b], twoInARow, { engine: create() });
    await askTimes(gateway, 4);
    a.does = 200;
    gateway.clock.now += 5_000;
    expect((await askTimes(gateway, 6)).sort()).toEqual(["a", "a", "a", "b", "b", "b"]);
    expect(gateway.changes.map(({ state }) => state)).toEqual(["open", "half-open", "closed"]);
  });
});

describe("the request that tries a host", () => {
  async function startOpen(options: Parameters<typeof startHosts>[2] = {}, route: object = {}): Promise<HostsGateway> {
    a.does = 500;
    const gateway = await start([a], { ...twoInARow, ...route }, options);
    await askTimes(gateway, 2);
    gateway.clock.now += 5_000;
    return gateway;
  }

  test("is alone: others are refused until it is answered", async () => {
    const gateway = await startOpen();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<http.ServerResponse>();
    a.server.once("request", (_req, res) => arrive(res));
    a.does = "hang";
    const trying = gateway.ask();
    const res = await arrived;
    expect(await gateway.ask()).toBe("503 in 1 s");
    a.does = 200;
    res.end("a");
    expect([await trying, await gateway.ask()]).toEqual(["a", "a"]);
  });

  test("frees its place when its client leaves", async () => {
    const gateway = await startOpen();
    a.does = "hang";
    const leaving = http.get({ port: gateway.port, path: "/x", agent: false });
    leaving.on("error", () => undefined);
    const [req] = (await once(a.server, "request")) as [IncomingMessage];
    const gone = once(req.socket, "close");
    leaving.destroy();
    await gone;
    a.does = 200;
    expect(await gateway.ask()).toBe("a");
  });

  test("frees its place when a handler keeps it for a second longer than an answer may take", async () => {
    const { promise: freed, resolve: free } = Promise.withResolvers<undefined>();
    let isHolding = false;
    const hold: DelegatingHandler = async (_outgoing, next) => {
      if (isHolding) await freed;
      return next();
    };
    const gateway = await startOpen({ handlers: [hold] }, { Timeout: 30 });
    isHolding = true;
    const held = gateway.ask();
    // The second one is refused as long as the first one tries the host.
    while ((await request({ port: gateway.port, path: "/x" })).status !== 503);
    isHolding = false;
    a.does = 200;
    // Its time-out would end it about now: until then it is the only one that tries.
    gateway.clock.now += 30_000;
    expect((await request({ port: gateway.port, path: "/x" })).status).toBe(503);
    gateway.clock.now += 1_000;
    expect(await gateway.ask()).toBe("a");
    free(undefined);
    expect(await held).toBe("a");
  });

  test("opens the breaker again where it fails", async () => {
    const gateway = await startOpen();
    expect(await askTimes(gateway, 2)).toEqual(["500", "503 in 5 s"]);
  });

  test("is one with a body only where there is no other host", async () => {
    const gateway = await startOpen();
    a.does = 200;
    expect(await gateway.ask("/x", { method: "POST", body: "text" })).toBe("a");
  });

  test("is not one with a body where another host answers", async () => {
    a.does = 500;
    const gateway = await start([a, b], twoInARow);
    await askTimes(gateway, 4);
    a.does = 200;
    gateway.clock.now += 5_000;
    const posts = [];
    for (let index = 0; index < 3; index += 1) posts.push(await gateway.ask("/x", { method: "POST", body: "text" }));
    expect(posts).toEqual(["b", "b", "b"]);
    expect((await askTimes(gateway, 2)).sort()).toEqual(["a", "b"]);
  });
});

describe("what is no failure of a host", () => {
  test("a client that leaves", async () => {
    const gateway = await start([a], { QoSOptions: { MinimumThroughput: 1 } });
    a.does = "hang";
    const leaving = http.get({ port: gateway.port, path: "/x", agent: false });
    leaving.on("error", () => undefined);
    const [req] = (await once(a.server, "request")) as [IncomingMessage];
    const gone = once(req.socket, "close");
    leaving.destroy();
    await gone;
    a.does = 200;
    expect(await gateway.ask()).toBe("a");
  });

  test("a handler that throws", async () => {
    const failing: DelegatingHandler = (outgoing, next) => {
      if (outgoing.headers["x-fail"] !== undefined) throw new Error("on purpose");
      return next();
    };
    const gateway = await start([a], { QoSOptions: { MinimumThroughput: 1 } }, { handlers: [failing] });
    await request({ port: gateway.port, path: "/x", headers: { "x-fail": "1" } });
    expect(await gateway.ask()).toBe("a");
  });

  test("an upload for which an engine of a user's gives the gateway's own error", async () => {
    const reset = new UpstreamError("upstream-reset", "The upstream closed the connection before it answered.");
    const engine = { forward: () => Promise.reject(reset), close: () => Promise.resolve() };
    const gateway = await start([a], { QoSOptions: { MinimumThroughput: 1 } }, { engine });
    const upload = { method: "POST", body: "x".repeat(100_000) };
    expect([await gateway.ask("/x", upload), await gateway.ask("/x", upload)]).toEqual(["502", "502"]);
  });

  test("what comes late, from calls of before", async () => {
    const slow = await startUpstream((req, res) => {
      if (req.headers["x-slow"] === undefined) res.end("slow");
      else held.push(res);
    });
    cleanups.push(slow.close);
    const held: http.ServerResponse[] = [];
    const gateway = await start([slow], { QoSOptions: { MinimumThroughput: 2 } });
    const askSlowly = () => request({ port: gateway.port, path: "/x", headers: { "x-slow": "1" } });
    const late = [askSlowly(), askSlowly(), askSlowly(), askSlowly()];
    while (held.length < 4) await new Promise(setImmediate);
    for (const res of held.splice(0, 2)) res.writeHead(500).end();
    await Promise.race(late);
    while ((await request({ port: gateway.port, path: "/x" })).status !== 503);
    gateway.clock.now += 5_000;
    expect(await gateway.ask()).toBe("slow");
    for (const res of held) res.writeHead(500).end();
    await Promise.all(late);
    expect(await gateway.ask()).toBe("slow");
  });
});

/** A host that answers GET with its name, and does with uploads what it is told, once their head has come. */
async function startUploadHost(treat: (socket: net.Socket, head: Buffer) => void): Promise<Readonly<{ port: number }>> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("data", (head: Buffer) => {
      if (head.toString("latin1").startsWith("POST")) treat(socket, head);
      else socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\na");
    });
  });
  const port = await listen(server as http.Server);
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port };
}

/** A handler that sends on what it has read of a body. */
const readWhole: DelegatingHandler = async function readWhole(outgoing, next) {
  if (outgoing.body instanceof Readable) outgoing.body = await buffer(outgoing.body);
  return next();
};

type Arrived = [IncomingMessage, http.ServerResponse];

describe.each(engines)("a client cannot take a host from the others: $name", ({ create }) => {
  const oneFailure = { QoSOptions: { MinimumThroughput: 1 } };
  const oneAtATime = { ...oneFailure, HttpHandlerOptions: { MaxConnectionsPerServer: 1 } };

  test("by an upload that the host refuses early, leaving bytes unread: its answer is the answer", async () => {
    const refusal = "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno";
    const host = await startUploadHost((socket) => socket.pause().write(refusal, () => socket.destroy()));
    const gateway = await start([host], oneFailure, { engine: create() });
    const large = { method: "POST", body: "x".repeat(3_000_000) };
    const answers = await Promise.all(Array.from({ length: 5 }, () => gateway.ask("/x", large)));
    expect([...answers, await gateway.ask()]).toEqual(["413", "413", "413", "413", "413", "a"]);
  });

  test.each([
    ["closing", (socket: net.Socket): unknown => socket.end()],
    ["a reset", (socket: net.Socket): unknown => socket.resetAndDestroy()],
  ])("by an upload that stalls, until the host gives it up by %s", async (_how, giveUp) => {
    const host = await startUploadHost((socket) => void giveUp(socket));
    const gateway = await start([host], oneFailure, { engine: create() });
    const client = net.connect(gateway.port, "127.0.0.1");
    client.write("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf");
    const [answer] = (await once(client, "data")) as [Buffer];
    client.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1.1 502 /);
    expect(await gateway.ask()).toBe("a");
  });

  test("by an upload that the host reads and then resets", async () => {
    const host = await startUploadHost((socket, head) => {
      const read = (piece: Buffer): unknown => piece.includes("!") && socket.resetAndDestroy();
      read(head);
      socket.on("data", read);
    });
    const gateway = await start([host], oneFailure, { engine: create() });
    expect(await gateway.ask("/x", { method: "POST", body: `${"x".repeat(60_000)}!` })).toBe("502");
    expect(await gateway.ask()).toBe("a");
  });

  describe.each<[string, object, GatewayOptions]>([
    ["the cache, which tells answers apart by it", { CacheOptions: { TtlSeconds: 1, EnableContentHashing: true } }, {}],
    ["a handler", {}, { handlers: [readWhole] }],
    ["a parser", {}, { middleware: [express.raw({ type: () => true })] }],
  ])("by a long body that is read here before it is sent, by %s", (_by, route, options) => {
    test("and that the host resets", async () => {
      const host = await startUploadHost((socket) => socket.resetAndDestroy());
      const gateway = await start([host], { ...oneFailure, ...route }, { ...options, engine: create() });
      expect(await gateway.ask("/x", { method: "POST", body: "x".repeat(16_385) })).toBe("502");
      expect(await gateway.ask()).toBe("a");
    });

    test("though a reset of a short one counts", async () => {
      const host = await startUploadHost((socket) => socket.resetAndDestroy());
      const gateway = await start([host], { ...oneFailure, ...route }, { ...options, engine: create() });
      expect(await gateway.ask("/x", { method: "POST", body: "x".repeat(16_384) })).toBe("502");
      expect(await gateway.ask()).toBe("503 in 5 s");
    });
  });

  test.each([
    [16_385, 200],
    [16_384, 503],
  ])("by a body of %i bytes that all parts of an aggregate have, unless it is short", async (length, status) => {
    const host = await startUploadHost((socket) => socket.resetAndDestroy());
    const part = (Key: string): object => ({
      ...{ Key, UpstreamPathTemplate: `/${Key}`, DownstreamPathTemplate: "/", ...oneFailure },
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: host.port }],
    });
    const Aggregates = [{ UpstreamPathTemplate: "/both", UpstreamHttpMethod: ["POST"], RouteKeys: ["one", "other"] }];
    const { port, close } = await startGateway(
      { Routes: [part("one"), part("other")], Aggregates },
      { engine: create() },
    );
    cleanups.push(close);
    expect((await request({ port, path: "/both", method: "POST", body: "x".repeat(length) })).status).toBe(502);
    expect((await request({ port, path: "/one" })).status).toBe(status);
  });

  test("by a method that the host does not know, though its 501 counts where it knows the method", async () => {
    const host = await startUpstream(({ method, url }, res) => {
      res.statusCode = method === "GET" && !url!.includes("broken") ? 200 : 501;
      res.end("a");
    });
    cleanups.push(host.close);
    const gateway = await start([host], oneFailure, { engine: create() });
    for (const method of ["PROPFIND", "POST", "PROPFIND"]) expect(await gateway.ask("/x", { method })).toBe("501");
    expect(await gateway.ask()).toBe("a");
    expect(await gateway.ask("/x?broken")).toBe("501");
    expect(await gateway.ask()).toBe("503 in 5 s");
  });

  test("though a reset of a short body counts, as that of a request without one does", async () => {
    const gateway = await start([a], oneFailure, { engine: create() });
    a.does = "reset";
    expect(await gateway.ask("/x", { method: "POST", body: "text" })).toBe("502");
    expect(await gateway.ask()).toBe("503 in 5 s");
  });

  describe.each([
    ["closing", (socket: net.Socket): unknown => socket.end()],
    ["a reset", (socket: net.Socket): unknown => socket.resetAndDestroy()],
  ])("where it ends connections without an answer by %s", (_how, end) => {
    test.each([
      ["by a head that is too long for it", "/x", 5_000, "a"],
      ["by a target that is, with its path and its query", `/x?${"q".repeat(2_000)}`, 0, "a"],
      ["though what it does with a head that is not counts", "/x", 2_500, "503 in 5 s"],
    ])("%s", async (_what, path, length, answer) => {
      let isEnding = true;
      const host = await startUpstream((req, res) => (isEnding ? end(req.socket) : res.end("a")));
      cleanups.push(host.close);
      const gateway = await start([host], oneFailure, { engine: create() });
      expect(await gateway.ask(path, { headers: { "x-long": "a".repeat(length) } })).toBe("502");
      isEnding = false;
      expect(await gateway.ask()).toBe(answer);
    });
  });

  test("by keeping its connections: a request that gives up in line has not been sent", async () => {
    const gateway = await start([a], { ...oneAtATime, Timeout: 0.2 }, { engine: create() });
    const keep = await keepConnection(gateway);
    expect(await gateway.ask()).toBe("504");
    keep.end("a");
    expect(await gateway.ask()).toBe("a");
  });

  test("by keeping them until others have no time left for their answer", async () => {
    const gateway = await start([a], { ...oneAtATime, Timeout: 0.4 }, { engine: create() });
    const keep = await keepConnection(gateway);
    const late = gateway.ask();
    setTimeout(() => keep.end("a"), 300);
    a.does = "hang";
    expect(await late).toBe("504");
    a.does = 200;
    expect(await gateway.ask()).toBe("a");
  });

  test("though a host that had its time counts where connections are limited, too", async () => {
    const gateway = await start([a], { ...oneAtATime, Timeout: 0.2 }, { engine: create() });
    a.does = "hang";
    expect(await askTimes(gateway, 2)).toEqual(["504", "503 in 5 s"]);
  });

  /** A client that has the head of its answer, and keeps the connection until it is told to end. */
  async function keepConnection(gateway: HostsGateway): Promise<http.ServerResponse> {
    a.does = "hang";
    const arrived = once(a.server, "request") as Promise<[IncomingMessage, http.ServerResponse]>;
    const keeping = http.get({ port: gateway.port, path: "/x", agent: false });
    const [, res] = await arrived;
    a.does = 200;
    res.flushHeaders();
    const [answer] = (await once(keeping, "response")) as [IncomingMessage];
    answer.resume();
    return res;
  }

  describe("by an upload that tries it", () => {
    /** A gateway whose only host has failed, and is well again, and a client that has begun to send it something. */
    async function startUpload(): Promise<Readonly<{ gateway: HostsGateway; client: net.Socket; arrived: Arrived }>> {
      a.does = 500;
      const gateway = await start([a], twoInARow, { engine: create() });
      await askTimes(gateway, 2);
      gateway.clock.now += 5_000;
      a.does = "hang";
      const arriving = once(a.server, "request") as Promise<Arrived>;
      const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      cleanups.push(() => Promise.resolve(client.destroy()));
      client.write("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf");
      return { gateway, client, arrived: await arriving };
    }

    test("and takes its time: the next request tries it beside it", async () => {
      const { gateway } = await startUpload();
      a.does = 200;
      expect(await askTimes(gateway, 2)).toEqual(["a", "a"]);
      expect(gateway.changes.map(({ state }) => state)).toEqual(["open", "half-open", "closed"]);
    });

    test("though it is alone as soon as it has been sent", async () => {
      const { gateway, client, arrived } = await startUpload();
      const ended = once(arrived[0], "end");
      client.write("x".repeat(96));
      await ended;
      expect(await gateway.ask()).toBe("503 in 1 s");
    });

    test("though its answer tells of the host where no other request has tried it meanwhile", async () => {
      const { gateway, client, arrived } = await startUpload();
      const [req, res] = arrived;
      req.once("end", () => res.end("a"));
      const answered = once(client, "data");
      client.write("x".repeat(96));
      await answered;
      expect(gateway.changes.map(({ state }) => state)).toEqual(["open", "half-open", "closed"]);
    });
  });

  test("a try that gets no answer in time counts once", async () => {
    const twoTries = { QoSOptions: { MinimumThroughput: 3, Timeout: 100 }, Retry: { Count: 1 } };
    const gateway = await start([a], twoTries, { engine: create() });
    const before = a.requests.length;
    a.does = "hang";
    expect(await askTimes(gateway, 3)).toEqual(["504", "504", "503 in 5 s"]);
    expect(a.requests.length - before).toBe(3);
  });
});

describe("a handshake that a host answers without a WebSocket", () => {
  test.each([200, 204, 404])("counts as any answer with status %i, and is not sent again", async (status) => {
    const gateway = await start([a], { ...twoInARow, AllowUpgrade: true, Retry: { Count: 1 } });
    gateway.server.on("upgrade", upgradeThrough(gateway.gateway));
    const before = a.requests.length;
    const answers: (number | string)[] = [];
    for (const does of [500, status, 500, status, status, status]) {
      a.does = does;
      answers.push(
        does === status
          ? (await request({ port: gateway.port, path: "/x", headers: handshake })).status
          : await gateway.ask(),
      );
    }
    const answer = status < 300 ? 502 : status;
    expect(answers).toEqual(["500", answer, "500", answer, answer, answer]);
    expect(a.requests.length - before).toBe(6);
    expect(gateway.changes).toEqual([]);
  });

  test("also where that is a 101 to something else", async () => {
    const other = await startUpstream((_req, res) => res.end("other"));
    cleanups.push(other.close);
    other.server.on("upgrade", (_req, socket) =>
      socket.end("HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n"),
    );
    const gateway = await start([other], { QoSOptions: { MinimumThroughput: 1 }, AllowUpgrade: true });
    gateway.server.on("upgrade", upgradeThrough(gateway.gateway));
    expect((await request({ port: gateway.port, path: "/x", headers: handshake })).status).toBe(502);
    expect(await gateway.ask()).toBe("other");
  });
});

describe("a handshake that a host does not answer", () => {
  const live = { QoSOptions: { MinimumThroughput: 1, Timeout: 100 }, AllowUpgrade: true };

  test.each<[string, string, (socket: Duplex) => unknown]>([
    ["it closes the connection", "upstream-reset", (socket) => socket.end()],
    ["it resets the connection", "upstream-reset", (socket) => (socket as net.Socket).resetAndDestroy()],
    ["it says nothing", "answer-timeout", () => undefined],
  ])("tells nothing of the host, as services do so with paths that they do not know: %s", async (_how, code, treat) => {
    const host = await startHost("live");
    cleanups.push(host.close);
    host.server.on("upgrade", (_req, socket) => {
      socket.on("error", () => undefined).once("end", () => socket.end());
      treat(socket.resume());
    });
    const gateway = await start([host], live);
    gateway.server.on("upgrade", upgradeThrough(gateway.gateway));
    const { body } = await request({ port: gateway.port, path: "/x", headers: handshake });
    expect(JSON.parse(body.toString())).toMatchObject({ code });
    expect(await gateway.ask()).toBe("live");
  });

  test("counts where there is no connection", async () => {
    const gone = await startHost("gone");
    cleanups.push(gone.close);
    await gone.refuse();
    const gateway = await start([gone], live);
    gateway.server.on("upgrade", upgradeThrough(gateway.gateway));
    expect((await request({ port: gateway.port, path: "/x", headers: handshake })).status).toBe(502);
    expect(await gateway.ask()).toBe("503 in 5 s");
  });
});

describe("a breaker belongs to a host of a route", () => {
  test("a reload in the middle keeps it, as long as the policy stays", async () => {
    a.does = 500;
    const gateway = await start([a, b], twoInARow);
    await askTimes(gateway, 4);
    const reload = (route: object) => gateway.gateway.reload(parseConfig(configOf([a, b], route), { logger: false }));
    await reload({ ...twoInARow, Timeout: 90, Metadata: { changed: "yes" } });
    expect(await askTimes(gateway, 3)).toEqual(["b", "b", "b"]);
    expect(gateway.gateway.health().degraded).toEqual([`host ${a.origin} of route 0`]);
    await reload({ QoSOptions: { MinimumThroughput: 3 } });
    expect(await askTimes(gateway, 2)).toContain("500");
    expect(gateway.gateway.health().degraded).toEqual([]);
  });

  test("health names it until it answers again, and again when it fails again", async () => {
    const gateway = await start([a, b], twoInARow);
    const named: (readonly string[])[] = [];
    for (const does of [200, 500, 200, 500, 200] as const) {
      a.does = does;
      gateway.clock.now += 5_000;
      await askTimes(gateway, 4);
      named.push(gateway.gateway.health().degraded);
    }
    const lost = [`host ${a.origin} of route 0`];
    expect(named).toEqual([[], lost, [], lost, []]);
  });

  test("another route asks the host itself", async () => {
    a.does = 500;
    const Routes = ["/x", "/y"].map((UpstreamPathTemplate) => ({
      ...{ UpstreamPathTemplate, DownstreamPathTemplate: "/", ...twoInARow },
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: a.port }],
    }));
    const gateway = await start([a]);
    await gateway.gateway.reload(parseConfig({ Routes }, { logger: false }));
    await askTimes(gateway, 2);
    expect([await gateway.ask("/x"), await gateway.ask("/y")]).toEqual(["503 in 5 s", "500"]);
  });

  test("a host that a handler has set has none, and a breaker of the route does not keep from it", async () => {
    const elsewhere: DelegatingHandler = (outgoing, next) => {
      outgoing.origin = b.origin;
      return next();
    };
    b.does = 500;
    const gateway = await start([a], { QoSOptions: { MinimumThroughput: 1 } }, { handlers: [elsewhere] });
    expect(await askTimes(gateway, 3)).toEqual(["500", "500", "500"]);
    expect(gateway.changes).toEqual([]);
  });

  test("a handler that sends again goes on with a host that may be asked", async () => {
    a.does = 500;
    const gateway = await start([a, b], { QoSOptions: { MinimumThroughput: 1 } }, { handlers: [sendAgain] });
    expect(await askTimes(gateway, 3)).toEqual(["b", "b", "b"]);
    expect(gateway.changes).toMatchObject([{ name: a.origin, state: "open" }]);
  });

  test("a WebSocket whose handshake is answered 503 counts, and is refused where all hosts are left alone", async () => {
    a.does = 503;
    const gateway = await start([a], { ...twoInARow, DownstreamScheme: "ws" });
    gateway.server.on("upgrade", upgradeThrough(gateway.gateway));
    const ask = async () =>
      (await request({ port: gateway.port, path: "/x", headers: handshake })).headers["retry-after"];
    expect([await ask(), await ask(), await ask()]).toEqual([undefined, undefined, "5"]);
  });
});

describe("a share of failures within a time", () => {
  const half = { QoSOptions: { FailureRatio: 0.5, MinimumThroughput: 4, SamplingDuration: 10_000 } };

  async function askAs(gateway: HostsGateway, ...statuses: readonly number[]): Promise<string> {
    for (const status of statuses) {
      a.does = status;
      await gateway.ask();
    }
    a.does = 200;
    return gateway.ask();
  }

  test.each([
    { why: "half of the least number of calls", statuses: [200, 200, 500, 500], expected: "503 in 5 s" },
    { why: "fewer calls than that", statuses: [500, 500, 500], expected: "a" },
    { why: "a smaller share", statuses: [200, 200, 200, 500, 500], expected: "a" },
    { why: "a good answer never opens it", statuses: [500, 500, 500, 200], expected: "a" },
  ])("$why", async ({ statuses, expected }) => {
    expect(await askAs(await start([a], half), ...statuses)).toBe(expected);
  });

  test("what is older does not count", async () => {
    const gateway = await start([a], half);
    await askAs(gateway, 500, 500, 500);
    gateway.clock.now += 10_000;
    expect(await askAs(gateway, 500)).toBe("a");
    expect(await askAs(gateway, 500)).toBe("a");
  });
});

test("by the clock of the machine, too", async () => {
  a.does = 500;
  const gateway = await start([a], { QoSOptions: { MinimumThroughput: 1, BreakDuration: 40 } }, { now: undefined! });
  await gateway.ask();
  a.does = 200;
  const began = performance.now();
  let answer = await gateway.ask();
  while (answer !== "a") answer = await gateway.ask();
  expect(performance.now() - began).toBeGreaterThan(20);
});

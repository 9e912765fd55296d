import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import http, { ClientRequest, IncomingMessage, OutgoingMessage, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Duplex, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import express from "express";
import {
  createGateway,
  type DelegatingHandler,
  type Gateway,
  type GatewayOptions,
  metadataResponder,
  parseConfig,
} from "../../src/index.ts";
import { createHttpProxyMiddlewareEngine } from "../../src/forwarding/engines/http-proxy-middleware.ts";
import { undiciEngine } from "../../src/undici.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const engines = [
  { name: "http-proxy-middleware", create: () => createHttpProxyMiddlewareEngine({ freeBodies: true }) },
  { name: "undici", create: () => undiciEngine({ freeBodies: true }) },
] as const;

const wordLength = 8;
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Bytes of which every eight tell whose they are, and where they belong. */
function bytesOf(owner: number, length: number): Buffer {
  const bytes = Buffer.from(new ArrayBuffer(length));
  const words = new Uint32Array(bytes.buffer, 0, 2 * Math.floor(length / wordLength));
  for (let index = 0; index < words.length; index += 2) {
    words[index] = owner;
    words[index + 1] = index;
  }
  return bytes;
}

function* cutInto(length: number, bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Answers `/<owner>/<length>/<type>` with the bytes of this owner, in one piece with its length or in many chunks. */
async function startOwnersUpstream(): Promise<Upstream> {
  const upstream = await startUpstream((req, res) => {
    const [, owner, length, type = "octet-stream"] = req.url!.split("/");
    const bytes = bytesOf(Number(owner), Number(length));
    res.setHeader("content-type", `application/${type}`);
    if (Number(owner) % 2 === 0) res.setHeader("content-length", bytes.length);
    // JSON is recognised by its first byte only.
    if (type === "json") bytes[0] = "[".charCodeAt(0);
    if (Number(owner) % 2 === 0) res.end(bytes);
    else Readable.from(cutInto(20_000, bytes)).pipe(res);
  });
  ends.push(upstream.close);
  return upstream;
}

function createOwnersGateway(upstream: Upstream, options: GatewayOptions = {}): Gateway {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const Routes = [{ UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}", DownstreamHostAndPorts }];
  return createGateway(parseConfig({ Routes }, { logger: false }), {
    engine: undiciEngine({ freeBodies: true }),
    logger: false,
    ...options,
  });
}

async function serveApp(gateway: Gateway, app: RequestListener = gateway): Promise<number> {
  const running = await serve(app, gateway);
  ends.push(running.close);
  return running.port;
}

type Reader = Readonly<{ pause: number; leavesAfter: number }>;

/** Reads an answer as slowly as asked, and to the end only if nobody leaves. */
function read(port: number, path: string, { pause, leavesAfter }: Reader): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    function take(res: IncomingMessage): void {
      const chunks: Buffer[] = [];
      let length = 0;
      res.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > leavesAfter) res.destroy();
        if (pause === 0) return;
        res.pause();
        setTimeout(() => res.resume(), pause);
      });
      res.once("close", () => resolve(Buffer.concat(chunks)));
    }
    http.get({ port, path, agent: false }, take).once("error", reject);
  });
}

/** Asks for an answer that is too large for the system to keep, and reads it when told. */
async function readLater(port: number, path: string): Promise<() => Promise<Buffer>> {
  const [res] = (await once(http.get({ port, path, agent: false }), "response")) as [IncomingMessage];
  return () => buffer(res);
}

test("no byte of one answer gets into another", async () => {
  const upstream = await startOwnersUpstream();
  const port = await serveApp(createOwnersGateway(upstream, { responder: metadataResponder() }));
  const huge = 16_000_000;
  const later = await Promise.all([1_000, 1_001].map((owner) => readLater(port, `/${owner}/${huge}`)));
  const lengths = [200_000, 65_536, 1_000_000, 65_300, 2_500_000, 131_072];
  const reads = Array.from({ length: 75 }, async (_, owner) => {
    const length = lengths[owner % lengths.length]!;
    const isWrapped = owner % 5 === 0;
    const leavesAfter = owner % 7 === 0 ? length / 2 : Infinity;
    const path = `/${owner}/${length}/${isWrapped ? "json" : "octet-stream"}`;
    const received = await read(port, path, { pause: owner % 3, leavesAfter });
    const start = isWrapped ? '{"Response": '.length : 0;
    const expected = bytesOf(owner, length);
    if (isWrapped) expected[0] = "[".charCodeAt(0);
    const body = received.subarray(start, start + length);
    expect(body.equals(expected.subarray(0, body.length))).toBe(true);
    if (leavesAfter === Infinity) expect(body).toHaveLength(length);
  });
  await Promise.all(reads);
  for (const [index, readNow] of later.entries()) {
    expect((await readNow()).equals(bytesOf(1_000 + index, huge))).toBe(true);
  }
});

const large = 1_000_000;
const several = 8_000_000;

/** What somebody has kept of the answer to owner 2 must still be that after many other answers. */
async function expectKept(port: number, kept: readonly Buffer[]): Promise<void> {
  const first = await request({ port, path: `/2/${large}` });
  expect(first.body.equals(bytesOf(2, large))).toBe(true);
  const ofFirst = [...kept];
  for (let owner = 4; owner < 20; owner += 2) await request({ port, path: `/${owner}/${large}` });
  expect(Buffer.concat(ofFirst).equals(bytesOf(2, large))).toBe(true);
}

test("middleware that keeps what is written to the response keeps it", async () => {
  const kept: Buffer[] = [];
  const gateway = createOwnersGateway(await startOwnersUpstream());
  const app = express();
  app.use(function keepBody(_req, res, next) {
    const write = res.write.bind(res);
    const end = res.end.bind(res);
    res.write = (...parts: unknown[]) => {
      kept.push(parts[0] as Buffer);
      return Reflect.apply(write, res, parts) as boolean;
    };
    res.end = (...parts: unknown[]) => {
      if (parts[0] !== undefined) kept.push(Buffer.from(parts[0] as string, "latin1"));
      return Reflect.apply(end, res, parts) as typeof res;
    };
    next();
  });
  app.use(gateway);
  await expectKept(await serveApp(gateway, app), kept);
});

test("so does who has put his own write into the class of all responses", async () => {
  const kept: Buffer[] = [];
  const write = Reflect.get(ServerResponse.prototype, "write");
  ends.push(() => Promise.resolve(Reflect.deleteProperty(ServerResponse.prototype, "write")));
  ServerResponse.prototype.write = function keepPiece(this: ServerResponse, ...parts: unknown[]) {
    kept.push(parts[0] as Buffer);
    return Reflect.apply(write, this, parts) as boolean;
  } as typeof ServerResponse.prototype.write;
  const port = await serveApp(createOwnersGateway(await startOwnersUpstream()));
  await request({ port, path: `/2/${large}` });
  expect(countFreed(kept)).toBe(0);
});

test("a handler that looks at the first piece of a body keeps it", async () => {
  const kept: Buffer[] = [];
  const gateway = createOwnersGateway(await startOwnersUpstream(), {
    responder: metadataResponder(),
    handlers: [
      async function peek(_outgoing, next) {
        const answer = await next();
        answer.body.once("data", (chunk: Buffer) => kept.push(chunk)).pause();
        return answer;
      },
    ],
  });
  await request({ port: await serveApp(gateway), path: `/2/${large}/json` });
  expect(kept).toHaveLength(1);
  expect(countFreed(kept)).toBe(0);
});

test("a handler that keeps the pieces of a body keeps them", async () => {
  const kept: Buffer[] = [];
  const gateway = createOwnersGateway(await startOwnersUpstream(), {
    handlers: [
      async function keepBody(_outgoing, next) {
        const answer = await next();
        answer.body.on("data", (chunk: Buffer) => kept.push(chunk));
        return answer;
      },
    ],
  });
  await expectKept(await serveApp(gateway), kept);
});

test("a socket that is none of the system's keeps what it is given", async () => {
  const kept: Buffer[] = [];
  const gateway = createOwnersGateway(await startOwnersUpstream());
  ends.push(() => gateway.close({ grace: 0 }));
  await answerInto(gateway, "/2/1000000", kept);
  const ofFirst = [...kept];
  for (let owner = 4; owner < 20; owner += 2) await answerInto(gateway, `/${owner}/1000000`, kept);
  const bytes = Buffer.concat(ofFirst);
  expect(bytes.subarray(bytes.indexOf("\r\n\r\n") + 4).equals(bytesOf(2, large))).toBe(true);
});

/** Lets a gateway answer as adapters for functions in the cloud do: into a socket that only collects. */
async function answerInto(gateway: Gateway, url: string, kept: Buffer[]): Promise<void> {
  const req = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url, headers: { host: "a" } });
  req.push(null);
  await answerTo(gateway, req, kept);
}

async function answerTo(gateway: Gateway, req: IncomingMessage, kept: Buffer[]): Promise<void> {
  const socket = new Duplex({
    read: () => undefined,
    writableHighWaterMark: 2 ** 30,
    write(chunk: Buffer, _encoding, callback) {
      kept.push(chunk);
      callback();
    },
  });
  const res = new ServerResponse(req);
  res.assignSocket(socket as Socket);
  gateway(req, res, (error) => socket.destroy(error as Error));
  await once(res, "finish");
}

/** Counts the bytes of the memory that is freed from now on. */
function watchFreed(): () => number {
  const transfer = Reflect.get(ArrayBuffer.prototype, "transfer");
  let bytes = 0;
  ends.push(() => Promise.resolve((ArrayBuffer.prototype.transfer = transfer)));
  ArrayBuffer.prototype.transfer = function countBytes(this: ArrayBuffer, ...parts) {
    bytes += this.byteLength;
    return Reflect.apply(transfer, this, parts);
  };
  return () => bytes;
}

function countFreed(pieces: readonly Buffer[]): number {
  return new Set(pieces.map(({ buffer }) => buffer).filter((memory) => (memory as ArrayBuffer).detached)).size;
}

const owners = [
  ["that come in one piece", 2],
  ["that come in many chunks", 1],
] as const;

test.each(owners)("the memory of answers %s is freed when they are written", async (_how, owner) => {
  const upstream = await startOwnersUpstream();
  const countBytes = watchFreed();
  const port = await serveApp(createOwnersGateway(upstream));
  await request({ port, path: `/${owner}/${several}` });
  expect(countBytes()).toBeGreaterThan(several / 2);
});

/** An upstream that keeps what it gets; slowly, if the path says so. */
async function startStore(): Promise<{ upstream: Upstream; stored: Map<string, Buffer> }> {
  const stored = new Map<string, Buffer>();
  const upstream = await startUpstream((req, res) => {
    if (req.url!.startsWith("/slow")) {
      req.pause();
      setTimeout(() => req.resume(), 500);
    }
    req.on("end", () => {
      stored.set(req.url!, upstream.requests.find(({ target }) => target === req.url)!.body);
      res.end();
    });
  });
  ends.push(upstream.close);
  return { upstream, stored };
}

test.each(engines)("$name: no byte of one upload gets into another", async ({ create }) => {
  const { upstream, stored } = await startStore();
  const port = await serveApp(createOwnersGateway(upstream, { engine: create() }));
  const lengths = [70_000, 1_000_000, 200_000, 12_000_000];
  const uploads = Array.from({ length: 20 }, async (_, owner) => {
    // Two of the longest wait, and two pass them.
    const length = lengths[owner % (owner < 16 ? 4 : 3)]!;
    const path = `/${length > 10_000_000 && owner < 8 ? "slow" : "fast"}/${owner}`;
    const headers = owner % 3 === 0 ? { "transfer-encoding": "chunked" } : { "content-length": length };
    await request({ port, method: "POST", path, headers, body: bytesOf(owner, length) });
    expect(stored.get(path)!.equals(bytesOf(owner, length))).toBe(true);
  });
  await Promise.all(uploads);
});

test.each(engines)("$name: pieces that wait for an upstream are not freed", async ({ create }) => {
  const { upstream, stored } = await startStore();
  const port = await serveApp(createOwnersGateway(upstream, { engine: create() }));
  const bytes = bytesOf(1, 16_000_000);
  const upload = http.request({ port, method: "POST", path: "/slow/1", headers: { "content-length": bytes.length } });
  const answered = once(upload, "response") as Promise<[IncomingMessage]>;
  // Each is a piece of its own to the gateway, and it takes in two before it lets the client wait.
  for (const piece of cutInto(25_000, bytes)) {
    upload.write(piece);
    await nextTurn();
  }
  upload.end();
  const [answer] = await answered;
  await buffer(answer);
  expect(stored.get("/slow/1")!.equals(bytes)).toBe(true);
});

test.each(engines)("$name: the memory of uploads is freed when they are sent", async ({ create }) => {
  const { upstream } = await startStore();
  const port = await serveApp(createOwnersGateway(upstream, { engine: create() }));
  const countBytes = watchFreed();
  await request({ port, method: "POST", path: "/fast/1", body: bytesOf(1, several) });
  expect(countBytes()).toBeGreaterThan(several / 2);
});

test.each([
  { name: "http-proxy-middleware", create: () => createHttpProxyMiddlewareEngine() },
  { name: "undici", create: () => undiciEngine() },
])("$name frees nothing unless it is asked to", async ({ create }) => {
  const countBytes = watchFreed();
  const upstream = await startOwnersUpstream();
  const port = await serveApp(createOwnersGateway(upstream, { engine: create() }));
  await request({ port, path: `/2/${large}` });
  await request({ port, method: "POST", path: "/2/10", body: bytesOf(1, large) });
  expect(countBytes()).toBe(0);
});

type Collected = Readonly<{ owner: object; method: string }>;

/** The functions of Node's classes in whose place a tool may put one that collects bodies. */
const collectable: readonly Collected[] = [
  { owner: EventEmitter.prototype, method: "emit" },
  { owner: Readable.prototype, method: "push" },
  { owner: Readable.prototype, method: "read" },
  { owner: IncomingMessage.prototype, method: "emit" },
  { owner: IncomingMessage.prototype, method: "push" },
  { owner: OutgoingMessage.prototype, method: "write" },
  { owner: Duplex.prototype, method: "write" },
  { owner: Socket.prototype, method: "read" },
  { owner: Socket.prototype, method: "push" },
  { owner: Socket.prototype, method: "write" },
];

const collectors = engines.flatMap((engine) =>
  // Node's own client reads from the system without asking the socket.
  collectable
    .filter(({ method, owner }) => engine.name === "undici" || owner !== Socket.prototype || method !== "read")
    .map((place) => ({ ...engine, ...place, where: `${place.owner.constructor.name}.prototype.${place.method}` })),
);

test.each(collectors)("$name: who collects pieces in $where keeps them", async ({ create, owner, method }) => {
  const { upstream } = await startStore();
  const answering = await startOwnersUpstream();
  const ports = [
    await serveApp(createOwnersGateway(upstream, { engine: create() })),
    await serveApp(createOwnersGateway(answering, { engine: create() })),
  ];
  const kept: Buffer[] = [];
  const own = Object.getOwnPropertyDescriptor(owner, method);
  const original = Reflect.get(owner, method) as (...parts: unknown[]) => unknown;
  ends.push(() =>
    Promise.resolve(
      own === undefined ? Reflect.deleteProperty(owner, method) : Object.defineProperty(owner, method, own),
    ),
  );
  Reflect.set(owner, method, function collect(this: unknown, ...parts: unknown[]) {
    const result = Reflect.apply(original, this, parts);
    for (const piece of [result, ...parts]) if (Buffer.isBuffer(piece) && piece.length > 1_000) kept.push(piece);
    return result;
  });
  await request({ port: ports[0]!, method: "POST", path: "/fast/1", body: bytesOf(1, large) });
  await request({ port: ports[1]!, path: `/2/${large}` });
  expect(kept.length).toBeGreaterThan(1);
  expect(countFreed(kept)).toBe(0);
});

type Keep = (chunk: Buffer) => void;

const answered = "http.client.response.finish";
const channels = [
  { name: "undici", when: "", channel: "undici:request:bodyChunkReceived", create: engines[1].create },
  { name: "http-proxy-middleware", when: "", channel: answered, create: engines[0].create },
  {
    name: "http-proxy-middleware",
    when: " and listens late",
    channel: answered,
    create: engines[0].create,
  },
] as const;

test.each(channels)(
  "$name: who is shown answers by Node$when keeps their pieces",
  async ({ when, channel, create }) => {
    const kept: Buffer[] = [];
    const upstream = await startOwnersUpstream();
    const port = await serveApp(createOwnersGateway(upstream, { engine: create() }));
    function keep(message: unknown): void {
      const { chunk, response } = message as { chunk?: Buffer; response?: IncomingMessage };
      if (chunk !== undefined) kept.push(chunk);
      if (response?.socket.remotePort !== upstream.port) return;
      const listen = () => response.on("data", (piece: Buffer) => kept.push(piece));
      if (when === "") listen();
      else setImmediate(listen);
    }
    subscribe(channel, keep);
    ends.push(() => Promise.resolve(unsubscribe(channel, keep)));
    const { body } = await request({ port, path: `/2/${large}` });
    expect(body.equals(bytesOf(2, large))).toBe(true);
    expect(kept.length).toBeGreaterThan(1);
    expect(countFreed(kept)).toBe(0);
  },
);

const listeners: readonly { how: string; listen: (upload: Readable, keep: Keep) => unknown }[] = [
  { how: "listens to", listen: (upload, keep) => upload.on("data", keep).pause() },
  { how: "looks at the first piece of", listen: (upload, keep) => upload.once("data", keep).pause() },
  {
    how: "looks at the first piece and gives it back to",
    async listen(upload, keep) {
      await once(upload, "readable");
      const piece = upload.read() as Buffer;
      keep(piece);
      upload.unshift(piece);
    },
  },
  {
    how: "stands before the pushes of",
    listen(upload, keep) {
      const push = upload.push.bind(upload);
      upload.push = (piece: Buffer | null) => {
        if (piece !== null) keep(piece);
        return push(piece);
      };
    },
  },
  { how: "listens later to", listen: (upload, keep) => upload.once("resume", () => upload.on("data", keep)) },
];

const watched = engines.flatMap((engine) => listeners.map((listener) => ({ ...engine, ...listener })));

test.each(watched)("$name: a handler that $how an upload keeps what it got", async ({ create, listen }) => {
  const kept: Buffer[] = [];
  const { upstream, stored } = await startStore();
  const keepUpload: DelegatingHandler = async (outgoing, next) => {
    await listen(outgoing.body as Readable, (chunk) => kept.push(chunk));
    return next();
  };
  const port = await serveApp(createOwnersGateway(upstream, { handlers: [keepUpload], engine: create() }));
  await request({ port, method: "POST", path: "/fast/1", body: bytesOf(1, large) });
  expect(stored.get("/fast/1")!.equals(bytesOf(1, large))).toBe(true);
  expect(kept.length).toBeGreaterThan(0);
  expect(countFreed(kept)).toBe(0);
});

test("who has put his own write into the class of all requests keeps what is uploaded", async () => {
  const kept: Buffer[] = [];
  const { upstream } = await startStore();
  const port = await serveApp(
    createOwnersGateway(upstream, { engine: createHttpProxyMiddlewareEngine({ freeBodies: true }) }),
  );
  const write = Reflect.get(ClientRequest.prototype, "write");
  ends.push(() => Promise.resolve(Reflect.deleteProperty(ClientRequest.prototype, "write")));
  ClientRequest.prototype.write = function keepPiece(this: ClientRequest, ...parts: unknown[]) {
    if (this.path === "/fast/1") kept.push(parts[0] as Buffer);
    return Reflect.apply(write, this, parts) as boolean;
  } as typeof ClientRequest.prototype.write;
  await request({ port, method: "POST", path: "/fast/1", body: bytesOf(1, large) });
  expect(kept.length).toBeGreaterThan(1);
  expect(countFreed(kept)).toBe(0);
});

test("a body that is a message without a socket is sent as any other", async () => {
  const { upstream, stored } = await startStore();
  const setBody: DelegatingHandler = (outgoing, next) => {
    const message = new IncomingMessage(null as unknown as Socket);
    message.push(bytesOf(1, large));
    message.push(null);
    message.complete = true;
    outgoing.body = message;
    return next();
  };
  const port = await serveApp(
    createOwnersGateway(upstream, {
      handlers: [setBody],
      engine: createHttpProxyMiddlewareEngine({ freeBodies: true }),
    }),
  );
  const { status } = await request({ port, method: "POST", path: "/fast/1" });
  expect(status).toBe(200);
  expect(stored.get("/fast/1")!.equals(bytesOf(1, large))).toBe(true);
});

test.each(engines)("$name: what an adapter hands over as a request stays its own", async ({ create }) => {
  const { upstream, stored } = await startStore();
  const gateway = createOwnersGateway(upstream, { engine: create() });
  ends.push(() => gateway.close({ grace: 0 }));
  const headers = { host: "a", "content-length": String(large) };
  const req = Object.assign(new IncomingMessage(new Socket()), { method: "POST", url: "/fast/1", headers });
  const pieces = Array.from(cutInto(100_000, bytesOf(1, large)), (piece) => Buffer.from(piece));
  for (const piece of [...pieces, null]) req.push(piece);
  await answerTo(gateway, req, []);
  expect(stored.get("/fast/1")!.equals(bytesOf(1, large))).toBe(true);
  expect(countFreed(pieces)).toBe(0);
});

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request as httpRequest } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type DelegatingHandler, upgradeThrough } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { type DeadPort, holdDeadPort } from "../helpers/hold-dead-port.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { closeServer, startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstreams: Upstream[] = [];
let dead: DeadPort;
let deadPort: number;
const cleanups: (() => Promise<void>)[] = [];

beforeAll(async () => {
  upstreams = await Promise.all(
    ["a", "b", "c"].map((name) => startUpstream((req, res) => (req.resume(), res.end(name)))),
  );
  dead = await holdDeadPort();
  deadPort = dead.port;
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
afterAll(() => Promise.all([dead.release(), ...upstreams.map(({ close }) => close())]));

async function start(ports: number[], route: object = {}) {
  const hosts = ports.map((Port) => ({ Host: "127.0.0.1", Port }));
  const running = await startGateway({
    Routes: [{ UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/", DownstreamHostAndPorts: hosts, ...route }],
  });
  cleanups.push(running.close);
  return running.port;
}

async function answers(port: number, count: number, body?: string): Promise<string[]> {
  const found: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const answer = await request({ port, path: "/x", ...(body === undefined ? {} : { method: "POST", body }) });
    found.push(answer.status === 200 ? answer.body.toString() : String(answer.status));
  }
  return found;
}

describe("several hosts", () => {
  test.each([
    ["the first one, as in Ocelot", undefined, ["a", "a", "a", "a"]],
    ["in turn", "RoundRobin", ["a", "b", "c", "a"]],
    ["the least busy one", "LeastConnection", ["a", "a", "a", "a"]],
  ])("%s", async (_title, Type, expected) => {
    const port = await start(
      upstreams.map((upstream) => upstream.port),
      Type === undefined ? {} : { LoadBalancerOptions: { Type } },
    );
    expect(await answers(port, 4)).toEqual(expected);
  });

  test.each(["NoLoadBalancer", "RoundRobin", "LeastConnection"])(
    "with %s the next one is tried after a refusal",
    async (Type) => {
      const port = await start([deadPort, upstreams[1]!.port], { LoadBalancerOptions: { Type } });
      expect(await answers(port, 2)).toEqual(["b", "b"]);
      expect(await answers(port, 2, "with a body")).toEqual(["b", "b"]);
      expect(upstreams[1]!.requests.at(-1)?.body.toString()).toBe("with a body");
    },
  );

  test("only one other is tried", async () => {
    const other = await holdDeadPort();
    cleanups.push(other.release);
    const port = await start([deadPort, other.port, upstreams[0]!.port]);
    expect(await answers(port, 1)).toEqual(["502"]);
  });

  test("a host that stands in the list twice is no other host", async () => {
    const port = await start([deadPort, deadPort, upstreams[0]!.port]);
    expect(await answers(port, 1)).toEqual(["a"]);
  });
});

describe.each(engines)("a stream that nobody has read goes to the next host after a refusal: $name", ({ create }) => {
  const pieces = Array.from({ length: 8 }, (_, index) => String(index).repeat(20_000));
  const giving: DelegatingHandler = (outgoing, next) => {
    outgoing.body = Readable.from(pieces, { objectMode: false });
    return next();
  };

  type Row = Readonly<{ title: string; isChunked?: true; handlers?: readonly DelegatingHandler[]; route?: object }>;
  const uploads: readonly Row[] = [
    { title: "an upload of a known length" },
    { title: "an upload in chunks", isChunked: true },
    { title: "an upload in chunks, whose length is limited", isChunked: true, route: { Limits: { Body: 1_000_000 } } },
    { title: "an upload in chunks that a handler lets pass", isChunked: true, handlers: [(_outgoing, next) => next()] },
    { title: "a handler's stream", handlers: [giving] },
  ];

  test.each(uploads)("$title", async ({ isChunked, handlers = [], route }) => {
    const echo = await startUpstream((req, res) => void req.pipe(res));
    cleanups.push(echo.close);
    const hosts = [deadPort, echo.port].map((Port) => ({ Host: "127.0.0.1", Port }));
    const Routes = [
      { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/", DownstreamHostAndPorts: hosts, ...route },
    ];
    const running = await startGateway({ Routes }, { handlers, engine: create() });
    cleanups.push(running.close);
    const body = pieces.join("");
    const framing = isChunked ? {} : { "content-length": body.length };
    const upload = httpRequest({ port: running.port, path: "/x", method: "POST", headers: framing });
    const answered = once(upload, "response") as Promise<[IncomingMessage]>;
    for (const piece of pieces) {
      upload.write(piece);
      await new Promise(setImmediate);
    }
    upload.end();
    const [answer] = await answered;
    const echoed = await text(answer);
    // Bodies as long as these are not for reading.
    expect([answer.statusCode, echoed.length, echoed === body]).toEqual([200, body.length, true]);
  });
});

describe.each(engines)("a delegating handler that sends elsewhere: $name", ({ create }) => {
  const toOrigin =
    (origin: string): DelegatingHandler =>
    (outgoing, next) => {
      outgoing.origin = origin;
      outgoing.headers.authorization = "Bearer of-there";
      return next();
    };

  async function startWith(handler: DelegatingHandler, route: object = {}) {
    const hosts = upstreams.map((upstream) => ({ Host: "127.0.0.1", Port: upstream.port }));
    const Routes = [
      { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/", DownstreamHostAndPorts: hosts, ...route },
    ];
    const running = await startGateway({ Routes }, { handlers: [handler], engine: create() });
    cleanups.push(running.close);
    return running;
  }

  test.each([
    ["GET", undefined],
    ["POST", "with a body"],
  ])("a refusal there is never sent to the hosts of the route: %s", async (method, body) => {
    const { port } = await startWith(toOrigin(`http://127.0.0.1:${deadPort}`));
    const before = upstreams.map(({ requests }) => requests.length);
    const answer = await request({ port, path: "/x", method, ...(body === undefined ? {} : { body }) });
    expect([answer.status, upstreams.map(({ requests }) => requests.length)]).toEqual([502, before]);
  });

  test("nor is a WebSocket's handshake", async () => {
    const handler = toOrigin(`http://127.0.0.1:${deadPort}`);
    const { port, server, gateway } = await startWith(handler, { DownstreamScheme: "ws" });
    server.on("upgrade", upgradeThrough(gateway));
    const before = upstreams.map(({ requests }) => requests.length);
    const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
    const answer = await request({ port, path: "/x", headers });
    expect([answer.status, upstreams.map(({ requests }) => requests.length)]).toEqual([502, before]);
  });

  test("to another host of the route: the next one is tried", async () => {
    const elsewhere: DelegatingHandler = (outgoing, next) => {
      outgoing.origin = `http://127.0.0.1:${deadPort}`;
      return next();
    };
    const hosts = [upstreams[0]!.port, deadPort, upstreams[2]!.port].map((Port) => ({ Host: "127.0.0.1", Port }));
    const { port } = await startWith(elsewhere, { DownstreamHostAndPorts: hosts });
    expect((await request({ port, path: "/x" })).body.toString()).toBe("c");
  });

  test("after a first try that went to the next host, the Host header is that of the second try", async () => {
    const twice: DelegatingHandler = async (outgoing, next) => {
      await next();
      outgoing.origin = upstreams[2]!.origin;
      return next();
    };
    const hosts = [deadPort, upstreams[1]!.port].map((Port) => ({ Host: "127.0.0.1", Port }));
    const { port } = await startWith(twice, { DownstreamHostAndPorts: hosts });
    expect((await request({ port, path: "/x" })).body.toString()).toBe("c");
    expect(upstreams[2]!.requests.at(-1)?.headers.host).toBe(`127.0.0.1:${upstreams[2]!.port}`);
  });
});

describe("an upstream behind TLS", () => {
  // A self-signed certificate for upstream.test, valid for a hundred years.
  const folder = new URL("../fixtures/tls/", import.meta.url).pathname;
  let server: https.Server;
  let port: number;

  beforeAll(async () => {
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(folder, name)));
    server = https.createServer({ key, cert }, (_req, res) => res.end("secure"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => closeServer(server));

  test.each([
    ["an unknown certificate is refused", {}, "502"],
    ["a known authority and name are trusted", { Tls: { Ca: "cert.pem", ServerName: "upstream.test" } }, "secure"],
    ["another name is refused", { Tls: { Ca: "cert.pem" } }, "502"],
    [
      "any certificate is taken where the configuration says so",
      { DangerousAcceptAnyServerCertificateValidator: true },
      "secure",
    ],
  ])("%s", async (_title, route, expected) => {
    const { Tls } = route as { Tls?: { Ca: string } };
    const tls = Tls === undefined ? {} : { Tls: { ...Tls, Ca: join(folder, Tls.Ca) } };
    const gateway = await start([port], { DownstreamScheme: "https", ...route, ...tls });
    expect(await answers(gateway, 1)).toEqual([expected]);
  });

  test("a certificate file that is missing stops the start", async () => {
    await expect(start([port], { Tls: { Ca: "/no/such/file.pem" } })).rejects.toThrow(
      'The file "/no/such/file.pem" of Tls.Ca cannot be read. Give the path of a PEM file, absolute or from the working directory.',
    );
  });
});

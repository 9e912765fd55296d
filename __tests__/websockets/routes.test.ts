import { readFileSync } from "node:fs";
import { once } from "node:events";
import type { Server } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import WebSocket from "ws";
import { createAnswer, type DelegatingHandler, type Logger, metadataResponder } from "../../src/index.ts";
import { createNamingSimulator } from "../../src/simulator/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import {
  accepted,
  askRaw,
  cleanUpLater,
  closeAll,
  exchange,
  handshake,
  type LiveParts,
  open,
  refusal,
  startEcho,
  startLive,
  startTcp,
} from "./live.ts";

afterEach(closeAll);

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
}

describe("which routes upgrade", () => {
  const rows: readonly [string, object, number][] = [
    ["ws", { DownstreamScheme: "ws" }, 101],
    ["ws in any case", { DownstreamScheme: "WS" }, 101],
    ["http where it is allowed", { DownstreamScheme: "http", AllowUpgrade: true }, 101],
    ["the default scheme where it is allowed", { DownstreamScheme: undefined, AllowUpgrade: true }, 101],
    ["http is ordinary", { DownstreamScheme: "http" }, 200],
    ["the default scheme is ordinary", { DownstreamScheme: undefined }, 200],
    ["ws where it is forbidden", { DownstreamScheme: "ws", AllowUpgrade: false }, 200],
  ];

  test.each(rows)("%s: %j gives %i", async (_why, route, status) => {
    const echo = await startEcho();
    const { port } = await startLive(echo.port, { route });
    const answer = await askRaw(port, `${handshake()}${status === 101 ? "\x88\x80\0\0\0\0" : ""}`);
    expect(answer.status).toBe(status);
    expect([echo.arrivals.length, echo.ordinary.length]).toEqual(status === 101 ? [1, 0] : [0, 1]);
  });

  test("an ordinary route gets the request without a word of an upgrade, and the connection ends", async () => {
    const echo = await startEcho();
    const { port } = await startLive(echo.port, { route: { DownstreamScheme: "http" } });
    const { head, rest } = await askRaw(port, handshake());
    expect([rest, head.toLowerCase()]).toEqual(["ordinary", expect.stringContaining("connection: close")]);
    expect(echo.ordinary[0]!.headers).not.toHaveProperty("upgrade");
    expect(String(echo.ordinary[0]!.headers.connection)).not.toMatch(/upgrade/i);
  });

  test.each(engines)("an ordinary request to a ws route goes over http: $name", async ({ create }) => {
    const echo = await startEcho();
    const { port } = await startLive(echo.port, { options: { engine: create() } });
    expect((await request({ port, path: "/live/main" })).body.toString()).toBe("ordinary");
    expect(echo.ordinary[0]!.url).toBe("/rooms/main");
    const socket = await open(`ws://127.0.0.1:${port}/live/main`);
    expect((await exchange(socket, "hello")).message.toString()).toBe("hello");
  });

  test.each(engines)("a big answer to an upgrade that is none arrives whole: $name", async ({ create }) => {
    const big = "x".repeat(5_000_000);
    const upstream = await startUpstream(
      (_req, res) => void res.writeHead(200, { "content-length": big.length }).end(big),
    );
    cleanUpLater(upstream.close);
    const { url } = await startLive(upstream.port, {
      route: { DownstreamScheme: "http" },
      options: { engine: create() },
    });
    expect(await refusal(url)).toEqual({ status: 200, body: big });
  });

  test("a wss route goes over TLS, WebSocket or not", async () => {
    const echo = await startEcho({ tls: { key: fixture("key.pem"), cert: fixture("cert.pem") } });
    const Tls = { Ca: "__tests__/fixtures/tls/cert.pem", ServerName: "upstream.test" };
    const { port, url } = await startLive(echo.port, { route: { DownstreamScheme: "wss", Tls } });
    const socket = await open(url);
    expect((await exchange(socket, "x".repeat(100_000))).message.length).toBe(100_000);
    expect((await request({ port, path: "/live/main" })).body.toString()).toBe("ordinary");
  });

  test("a wss route with a certificate that nobody knows is 502", async () => {
    const echo = await startEcho({ tls: { key: fixture("key.pem"), cert: fixture("cert.pem") } });
    const { url } = await startLive(echo.port, { route: { DownstreamScheme: "wss" } });
    const { status, body } = await refusal(url);
    expect([status, JSON.parse(body)]).toMatchObject([502, { code: "upstream-tls" }]);
  });
});

describe("what the upstream gets", () => {
  test("the same as of a request: target, headers, forwarded, id, and the handshake untouched", async () => {
    const echo = await startEcho();
    const { port } = await startLive(echo.port, {
      global: { RequestIdKey: "X-Request-Id" },
      options: {
        middleware: [
          (req, res, next) => {
            req.headers["x-set"] = "by middleware";
            res.locals.placeholders.room = "ch anged";
            next();
          },
        ],
        handlers: [
          (outgoing, next) => {
            outgoing.headers["x-handler"] = "was here";
            return next();
          },
        ],
      },
    });
    const lines = {
      "X-Request-Id": "id-1",
      "X-Forwarded-For": "6.6.6.6",
      "X-Mine": "kept",
      "X-Hop": "dropped",
      Connection: "Upgrade, X-Hop",
      "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits, x-unknown",
      "Sec-WebSocket-Protocol": "a, b",
    };
    const { head } = await askRaw(port, `${handshake("/live/main?a=%20b&a", lines)}\x88\x80\0\0\0\0`);
    expect(head).toMatch(/\r\nx-request-id: id-1/i);
    const [arrived] = echo.arrivals;
    expect(arrived!.url).toBe("/rooms/ch%20anged?a=%20b&a");
    expect(arrived!.headers).toEqual({
      host: `127.0.0.1:${echo.port}`,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-extensions": "permessage-deflate; client_max_window_bits, x-unknown",
      "sec-websocket-protocol": "a, b",
      "x-request-id": "id-1",
      "x-mine": "kept",
      "x-set": "by middleware",
      "x-handler": "was here",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-host": "gateway.test",
      "x-forwarded-proto": "http",
    });
  });

  test("a GET, whatever DownstreamHttpMethod says", async () => {
    const { port: upstreamPort, received } = await startTcp((socket) =>
      socket.once("data", () => socket.end(accepted)),
    );
    const { port } = await startLive(upstreamPort, { route: { DownstreamHttpMethod: "Post" } });
    expect((await askRaw(port, handshake())).status).toBe(101);
    expect(received[0]).toMatch(/^GET \/rooms\/main HTTP\/1\.1\r\n/);
  });

  test("nothing, where the guards refuse the path", async () => {
    const echo = await startEcho();
    const { port } = await startLive(echo.port, { route: { UpstreamPathTemplate: "/{room}" } });
    expect((await askRaw(port, handshake("/a/%2e%2e/b"))).status).toBe(400);
    expect(echo.arrivals).toEqual([]);
  });

  test("a call through the naming service", async () => {
    const echo = await startEcho();
    const primary = `http://127.0.0.1:${echo.port}`;
    const partitions = [{ kind: "Int64Range", low: 0, high: 9, primary }] as const;
    const services = { "Shop/Live": { kind: "stateful", partitions } } as const;
    const simulator = createNamingSimulator({ port: 0, services });
    const naming = await simulator.listen();
    cleanUpLater(() => simulator.close());
    const { url } = await startLive(1, {
      route: { ServiceName: "Shop/Live" },
      global: { ServiceDiscoveryProvider: { Type: "ServiceCluster", Host: "127.0.0.1", Port: naming.port } },
    });
    const socket = await open(`${url}?PartitionKind=Int64Range&PartitionKey=7&x=1`);
    expect((await exchange(socket, "hello")).message.toString()).toBe("hello");
    expect(echo.arrivals[0]!.url).toBe("/rooms/main?x=1");
    socket.close();
    await once(socket, "close");
  });
});

describe("delegating handlers", () => {
  const handlers: readonly [string, DelegatingHandler, number, string][] = [
    ["an answer of their own", async () => createAnswer({ status: 403, body: "no" }), 403, "no"],
    ["a success of their own", async () => createAnswer({ status: 200, body: "yes" }), 200, "yes"],
    [
      "another status for what the upstream accepted",
      async (_outgoing, next) => Object.assign(await next(), { status: 409 }),
      409,
      "",
    ],
    ["a 101 without an upstream", async () => createAnswer({ status: 101 }), 500, "handler-misuse"],
    [
      "an error",
      async () => {
        throw Object.assign(new Error("seen"), { status: 418 });
      },
      418,
      "seen",
    ],
  ];

  test.each(handlers)("may give %s", async (_what, handler, status, body) => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, { options: { handlers: [handler] } });
    const answer = await refusal(url);
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(body)]);
    // What the upstream has opened in vain is closed again.
    if (echo.sockets.size > 0) await Promise.all([...echo.sockets].map((socket) => once(socket, "close")));
  });

  test("may look at the 101, change its headers, copy it, and ask twice", async () => {
    const echo = await startEcho();
    const statuses: number[] = [];
    const handler: DelegatingHandler = async (_outgoing, next) => {
      statuses.push((await next()).status);
      const answer = await next();
      return { ...answer, headers: { ...answer.headers, "x-seen": "yes" } };
    };
    const { port } = await startLive(echo.port, { options: { handlers: [handler] } });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live/main`);
    const [response] = (await once(socket, "upgrade")) as [{ headers: Record<string, string> }];
    expect(response.headers["x-seen"]).toBe("yes");
    expect((await exchange(socket, "hello")).message.toString()).toBe("hello");
    expect(statuses).toEqual([101]);
    expect(echo.arrivals).toHaveLength(2);
    // The connection of the first call was not needed.
    if (echo.closes.length === 0) await once([...echo.sockets][0]!, "close");
    expect(echo.sockets.size).toBe(1);
  });
});

test("a responder is told of the route, but has no part in a WebSocket", async () => {
  const echo = await startEcho();
  const { port, url } = await startLive(echo.port, {
    route: { Metadata: { team: "live" } },
    options: { responder: metadataResponder() },
  });
  const { head } = await askRaw(port, `${handshake()}\x88\x80\0\0\0\0`);
  expect(head).toMatch(/\r\ngw-route-metadata: \{"team":"live"\}/i);
  const socket = await open(url);
  expect((await exchange(socket, "hello")).message.toString()).toBe("hello");
});

describe("AllowedOrigins", () => {
  const shop = "https://shop.example";
  const evil = "https://evil.example";
  const onRoute: LiveParts = { route: { AllowedOrigins: [shop] } };
  const global: LiveParts = { global: { AllowedOrigins: [shop] } };
  const option: LiveParts = { options: { allowedOrigins: [shop] } };
  const rows: readonly [string, LiveParts, string | undefined, boolean][] = [
    ["none configured: any page", {}, evil, true],
    ["listed on the route", onRoute, shop, true],
    ["case and a slash at the end do not matter", { route: { AllowedOrigins: ["https://Shop.Example/"] } }, shop, true],
    ["another scheme", onRoute, "http://shop.example", false],
    ["another port", onRoute, "https://shop.example:8443", false],
    ["another host", onRoute, "https://shop.example.evil", false],
    ["a page without an origin of its own", onRoute, "null", false],
    ["no page at all", onRoute, undefined, true],
    ["listed for all routes", global, shop, true],
    ["not listed for all routes", global, evil, false],
    ["listed in the option", option, shop, true],
    ["not listed in the option", option, evil, false],
    [
      "the route's own list replaces the others",
      { ...global, ...option, route: { AllowedOrigins: [evil] } },
      evil,
      true,
    ],
  ];

  test.each(rows)("%s: %j, from %s: %s", async (_why, parts, origin, isAllowed) => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, parts);
    const headers = origin === undefined ? {} : { origin };
    if (isAllowed) {
      await open(url, { headers });
      return;
    }
    const { status, body } = await refusal(url, { headers });
    expect([status, JSON.parse(body)]).toMatchObject([403, { code: "origin-refused" }]);
    expect(echo.arrivals).toEqual([]);
  });

  test("ordinary requests are not judged by it", async () => {
    const echo = await startEcho();
    const { port } = await startLive(echo.port, { route: { AllowedOrigins: ["https://shop.example"] } });
    const answer = await request({ port, path: "/live/main", headers: { origin: "https://evil.example" } });
    expect(answer.status).toBe(200);
  });
});

/** The gateway hears of the end of both connections a little later than the client. */
async function isOpenedSoon(url: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const socket = new WebSocket(url);
    const opened = once(socket, "open").then(() => true);
    const refused = once(socket, "unexpected-response").then(() => false);
    if (await Promise.race([opened, refused])) return true;
  }
  return false;
}

describe("the limit of open WebSockets", () => {
  const places: readonly [string, LiveParts][] = [
    ["on the route", { route: { Limits: { Sockets: 2 } } }],
    ["for all routes", { global: { Limits: { Sockets: 2 } } }],
    ["as an option", { options: { limits: { sockets: 2 } } }],
  ];

  test.each(places)("%s: one too many is 503 until one has closed", async (_place, parts) => {
    const echo = await startEcho();
    const { url, port } = await startLive(echo.port, parts);
    const [first] = [await open(url), await open(url)];
    const refused = await askRaw(port, handshake());
    expect(refused.status).toBe(503);
    expect(refused.head).toMatch(/\r\nretry-after: 1/i);
    expect((await request({ port, path: "/live/main" })).status).toBe(200);
    first.close();
    await once(first, "close");
    expect(await isOpenedSoon(url)).toBe(true);
  });

  test("an open WebSocket is no request under way", async () => {
    const echo = await startEcho();
    const { url, port } = await startLive(echo.port, { route: { Limits: { Concurrent: 1 } } });
    await open(url);
    expect((await request({ port, path: "/live/main" })).status).toBe(200);
    await open(url);
  });
});

describe("several hosts", () => {
  test("after a refusal the next one is tried", async () => {
    const echo = await startEcho();
    const hosts = [1, echo.port].map((port) => ({ Host: "127.0.0.1", Port: port }));
    const { url } = await startLive(1, { route: { DownstreamHostAndPorts: hosts } });
    const socket = await open(url);
    expect((await exchange(socket, "hello")).message.toString()).toBe("hello");
  });

  test("an open WebSocket counts for LeastConnection, a closed one does not", async () => {
    const [first, second] = [await startEcho(), await startEcho()];
    const hosts = [first, second].map(({ port }) => ({ Host: "127.0.0.1", Port: port }));
    const route = { DownstreamHostAndPorts: hosts, LoadBalancerOptions: { Type: "LeastConnection" } };
    const { url, server } = await startLive(1, { route });
    const socket = await open(url);
    await open(url);
    expect([first.arrivals.length, second.arrivals.length]).toEqual([1, 1]);
    const [peer] = first.sockets;
    const gone = once(peer!, "close");
    socket.close();
    await gone;
    while ((await openConnections(server)) > 1) continue;
    await open(url);
    await open(url);
    expect([first.arrivals.length, second.arrivals.length]).toEqual([3, 1]);
  });
});

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

test("what fails is logged, with its code and without the address", async () => {
  const lines: [string, object, string][] = [];
  const log = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message]);
  const logger: Logger = { error: log("error"), warn: log("warn"), info: log("info"), debug: log("debug") };
  const { url } = await startLive(1, { options: { logger } });
  expect((await refusal(url)).status).toBe(502);
  const warnings = lines.filter(([level]) => level === "warn");
  expect(warnings).toMatchObject([
    ["warn", { code: "upstream-refused", status: 502 }, "The upstream refused the connection."],
  ]);
});

import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import net from "node:net";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "@jest/globals";
import compression from "compression";
import connect from "connect";
import express from "express";
import express4 from "express4";
import session from "express-session";
import helmet from "helmet";
import type WebSocketType from "ws";
import { WebSocketServer } from "ws";
import { type Gateway, problemDetails, type UpgradeListener, upgradeThrough } from "../../src/index.ts";
import { allMountings } from "../helpers/app-kinds.ts";
import { serve } from "../helpers/start-gateway.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import {
  askRaw,
  cleanUpLater,
  closeAll,
  exchange,
  handshake,
  liveGateway,
  open,
  refusal,
  sampleAccept,
  startEcho,
  startLive,
  textOf,
} from "./live.ts";

afterEach(closeAll);

type Handler = (req: unknown, res: { statusCode: number; end: (text: string) => void }, next: () => void) => void;

const requireLogin: Handler = (req, res, next) => {
  if ((req as { headers: Record<string, string> }).headers.authorization === "Bearer sesame") {
    next();
    return;
  }
  res.statusCode = 401;
  res.end("log in first");
};

const login = { headers: { authorization: "Bearer sesame" } };

function mounted(app: { use: (...parts: never[]) => unknown }, ...parts: unknown[]): RequestListener {
  for (const part of parts) app.use(...([part] as never[]));
  return app as unknown as RequestListener;
}

describe("a WebSocket passes through", () => {
  test.each(allMountings)("$name", async ({ mount, prefix }) => {
    const echo = await startEcho();
    const other = liveGateway(1, { route: { UpstreamPathTemplate: "/other/{room}" } });
    const { port } = await startLive(echo.port, { app: (gateway) => mount(gateway, other) });
    const socket = await open(`ws://127.0.0.1:${port}${prefix}/live/main?a=1`);
    expect((await exchange(socket, "hello")).message.toString()).toBe("hello");
    const [arrived] = echo.arrivals;
    expect([arrived!.url, arrived!.headers["x-forwarded-prefix"] ?? ""]).toEqual(["/rooms/main?a=1", prefix]);
    expect((await refusal(`ws://127.0.0.1:${port}${prefix}/nothing`)).status).toBe(404);
  });

  test("the middleware that apps usually have; sessions are saved before, and cookies set", async () => {
    const echo = await startEcho();
    const app = (gateway: Gateway): RequestListener =>
      express()
        .use(helmet(), compression(), express.json(), express.urlencoded())
        .use(session({ secret: "keyboard cat", resave: true, saveUninitialized: true }))
        .use(gateway);
    const { port } = await startLive(echo.port, { app });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live/main`);
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const echoed = new Promise<unknown>((resolve) => socket.addEventListener("message", ({ data }) => resolve(data)));
    socket.send("hello");
    expect(await echoed).toBe("hello");
    const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
    socket.close();
    await closed;
    const { head } = await askRaw(port, handshake("/live/main") + "\x88\x80\0\0\0\0");
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head).toMatch(/\r\nset-cookie: connect\.sid=/i);
    expect(head).toMatch(/\r\nx-content-type-options: nosniff/i);
    expect(head).not.toMatch(/\r\n(transfer-encoding|content-length|content-encoding):/i);
  });

  test("two gateways, each for its own paths", async () => {
    const [first, second] = [await startEcho(), await startEcho()];
    const other = liveGateway(second.port, { route: { UpstreamPathTemplate: "/second/{room}" } });
    const { port } = await startLive(first.port, { app: (gateway) => express().use(gateway).use(other) });
    cleanUpLater(() => other.close({ grace: 0 }));
    await open(`ws://127.0.0.1:${port}/live/a`);
    await open(`ws://127.0.0.1:${port}/second/b`);
    expect([first.arrivals[0]!.url, second.arrivals[0]!.url]).toEqual(["/rooms/a", "/rooms/b"]);
  });
});

describe("a WebSocket is stopped", () => {
  const apps: readonly [string, (gateway: Gateway) => RequestListener][] = [
    ["Express 5", (gateway) => mounted(express(), requireLogin, gateway)],
    ["Express 4", (gateway) => mounted(express4(), requireLogin, gateway)],
    ["Connect", (gateway) => mounted(connect(), requireLogin, gateway)],
    ["a plain handler", (gateway) => (req, res) => requireLogin(req, res, () => gateway(req, res))],
  ];

  test.each(apps)("by a requireLogin before the gateway: %s", async (_name, app) => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, { app });
    expect(await refusal(url)).toEqual({ status: 401, body: "log in first" });
    expect(echo.arrivals).toEqual([]);
    await open(url, login);
  });

  test("by the gateway's own middleware", async () => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, { options: { middleware: [requireLogin as never] } });
    expect(await refusal(url)).toEqual({ status: 401, body: "log in first" });
    expect(echo.arrivals).toEqual([]);
    await open(url, login);
  });

  test("by middleware that answers late, or fails", async () => {
    const echo = await startEcho();
    const app = (gateway: Gateway): RequestListener =>
      express()
        .use("/live/late", (_req, res) => void setImmediate(() => res.sendStatus(418)))
        .use("/live/broken", () => {
          throw Object.assign(new Error("secret"), { status: 503 });
        })
        .use(gateway);
    const { port } = await startLive(echo.port, { app });
    expect((await refusal(`ws://127.0.0.1:${port}/live/late`)).status).toBe(418);
    const broken = await refusal(`ws://127.0.0.1:${port}/live/broken`);
    expect(broken.status).toBe(503);
    expect(broken.body).not.toContain("secret");
  });

  test("by a handler that fails in a promise", async () => {
    const app = (): RequestListener => async () => Promise.reject(new Error("secret"));
    const { url } = await startLive(1, { app });
    const { status, body } = await refusal(url);
    expect(status).toBe(500);
    expect(body).not.toContain("secret");
  });

  test("by an error, which the app's error handler answers", async () => {
    const app = (gateway: Gateway): RequestListener =>
      express()
        .use(gateway)
        .use(((error: { code: string }, _req, res, next) => {
          if (res.headersSent) next(error);
          else res.status(599).send(`caught ${error.code}`);
        }) as express.ErrorRequestHandler);
    const { url } = await startLive(1, { app });
    expect(await refusal(url)).toEqual({ status: 599, body: "caught upstream-refused" });
  });

  test("by problemDetails, with the stable code", async () => {
    const { url } = await startLive(1, {
      app: (gateway) =>
        express()
          .use(gateway)
          .use(problemDetails({ logger: false })),
    });
    const { status, body } = await refusal(url);
    expect([status, JSON.parse(body)]).toMatchObject([502, { code: "upstream-refused" }]);
  });

  test("and its connection ends with the answer", async () => {
    const { port } = await startLive(1, { app: () => express().use((_req, res) => void res.send("no")) });
    const { status, head, rest } = await askRaw(port, handshake("/anything"));
    expect([status, rest]).toEqual([200, "no"]);
    expect(head).toMatch(/\r\nConnection: close/i);
  });

  test("by a big answer too, all of which arrives", async () => {
    const big = "x".repeat(5_000_000);
    const { url } = await startLive(1, { app: () => (_req, res) => void res.writeHead(403).end(big) });
    expect((await refusal(url)).body).toBe(big);
  });
});

describe("where nobody answers", () => {
  test("an upgrade request is 404", async () => {
    const { port } = await startLive(1);
    const { status, body } = await refusal(`ws://127.0.0.1:${port}/nowhere`);
    expect([status, JSON.parse(body)]).toMatchObject([404, { code: "no-route" }]);
  });

  test.each(["before", "after"])("the server's other upgrade listener, added %s, has it untouched", async (when) => {
    const echo = await startEcho();
    const gateway = liveGateway(echo.port);
    const { passed, note } = createSignal();
    const app = express()
      .use((_req, _res, next) => void setImmediate(next))
      .use(gateway)
      .use((_req, _res, next) => {
        next();
        note();
      });
    const { port, server, close } = await serve(app, gateway);
    cleanUpLater(close);
    const late = new WebSocketServer({ noServer: true });
    const through = upgradeThrough(app);
    const own: UpgradeListener = (req, socket, head) => {
      if (req.url !== "/own") return;
      // As one that looks into a database first.
      void passed.then(() => late.handleUpgrade(req, socket, head, (client) => echoAs(client, "own")));
    };
    for (const listener of when === "before" ? [own, through] : [through, own]) server.on("upgrade", listener);
    const socket = await open(`ws://127.0.0.1:${port}/own`);
    expect((await exchange(socket, "a")).message.toString()).toBe("own a");
    const proxied = await open(`ws://127.0.0.1:${port}/live/main`);
    expect((await exchange(proxied, "b")).message.toString()).toBe("b");
    socket.close();
    await once(socket, "close");
  });

  test("a listener that takes it at once is not disturbed by an app that answers everything", async () => {
    const echo = await startEcho();
    const gateway = liveGateway(echo.port);
    const app = express()
      .use(gateway)
      .use((_req, res) => void res.status(404).send("no such page"));
    const { port, server, close } = await serve(app, gateway);
    cleanUpLater(close);
    server.on("upgrade", upgradeThrough(app));
    const own = new WebSocketServer({ noServer: true });
    server.on("upgrade", (req, socket, head) => {
      if (req.url === "/own") own.handleUpgrade(req, socket, head, (client) => echoAs(client, "own"));
    });
    const socket = await open(`ws://127.0.0.1:${port}/own`);
    expect((await exchange(socket, "a")).message.toString()).toBe("own a");
    expect((await refusal(`ws://127.0.0.1:${port}/nobody`)).body).toBe("no such page");
    await open(`ws://127.0.0.1:${port}/live/main`);
    socket.close();
    await once(socket, "close");
  });
});

test.each([
  [
    "answers",
    (gateway: Gateway) =>
      express()
        .use(gateway)
        .use((_req, res) => void res.status(404).send("no such page")),
  ],
  ["accepts it by a route", (gateway: Gateway) => express().use("/own", gateway)],
  [
    "fails",
    (gateway: Gateway) =>
      express()
        .use(gateway)
        .use((_req, _res, next) => next(new Error("no"))),
  ],
])(
  "what another listener takes while the app is busy is its own, though the app %s afterwards",
  async (_how, mount) => {
    const echo = await startEcho();
    const gateway = liveGateway(echo.port);
    const taken = createSignal();
    const passed = createSignal();
    const app = express().use((_req, res, next) => {
      res.once("close", passed.note);
      void taken.passed.then(() => next());
    });
    app.use(mount(gateway));
    const { port, server, close } = await serve(app, gateway);
    cleanUpLater(close);
    server.on("upgrade", upgradeThrough(app, { logger: false }));
    const own = new WebSocketServer({ noServer: true });
    server.on("upgrade", (req, socket, head) => {
      setImmediate(() => {
        own.handleUpgrade(req, socket, head, (client) => echoAs(client, "own"));
        taken.note();
      });
    });
    const socket = await open(`ws://127.0.0.1:${port}/own/live/main`);
    await passed.passed;
    expect((await exchange(socket, "a")).message.toString()).toBe("own a");
    expect(gateway.health()).toMatchObject({ running: 0, sockets: 0 });
    socket.close();
    await once(socket, "close");
  },
);

function createSignal(): { passed: Promise<void>; note: () => void } {
  let note = (): void => undefined;
  const passed = new Promise<void>((resolve) => (note = resolve));
  return { passed, note };
}

function echoAs(client: WebSocketType, name: string): void {
  client.on("message", (message) => client.send(`${name} ${textOf(message)}`));
}

describe("what is not a WebSocket", () => {
  const refused: readonly [string, string, number, string][] = [
    ["a body with a length", `${handshake("/live/main", { "Content-Length": "3" })}abc`, 400, "upgrade-with-body"],
    [
      "a body in chunks",
      `${handshake("/live/main", { "Transfer-Encoding": "chunked" })}0\r\n\r\n`,
      400,
      "upgrade-with-body",
    ],
    ["a POST", handshake("/live/main", {}, "POST"), 400, "request-ill-formed"],
    ["no key", handshake("/live/main", { "Sec-WebSocket-Key": "" }), 400, "request-ill-formed"],
    ["a short key", handshake("/live/main", { "Sec-WebSocket-Key": "abc=" }), 400, "request-ill-formed"],
  ];

  test.each(refused)("%s is answered, and the connection closed", async (_what, bytes, status, code) => {
    const echo = await startEcho();
    const { port } = await startLive(echo.port);
    const answer = await askRaw(port, bytes);
    expect([answer.status, JSON.parse(answer.rest)]).toMatchObject([status, { code }]);
    expect([echo.arrivals, echo.ordinary]).toEqual([[], []]);
  });

  test("an empty body is none", async () => {
    const echo = await startEcho();
    const { port } = await startLive(echo.port);
    const { status } = await askRaw(port, `${handshake("/live/main", { "Content-Length": "0" })}\x88\x80\0\0\0\0`);
    expect(status).toBe(101);
  });

  test("HTTP/1.0 cannot upgrade: the request is an ordinary one", async () => {
    const echo = await startEcho();
    const { port } = await startLive(echo.port);
    const { status, rest } = await askRaw(port, handshake().replace("HTTP/1.1", "HTTP/1.0"));
    expect([status, rest]).toEqual([200, "ordinary"]);
  });
});

test("with shouldUpgradeCallback, h2c is an ordinary request as RFC 9110 wants it", async () => {
  const echo = await startEcho();
  const gateway = liveGateway(echo.port);
  const options = {
    shouldUpgradeCallback: (req: IncomingMessage) => req.headers.upgrade?.toLowerCase() === "websocket",
  };
  const server = createServer(options, gateway).on("upgrade", upgradeThrough(gateway));
  const port = await listen(server);
  cleanUpLater(() => closeServer(server));
  cleanUpLater(() => gateway.close({ grace: 0 }));
  const lines = { Connection: "Upgrade, HTTP2-Settings, close", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" };
  expect(await askRaw(port, handshake("/live/main", lines))).toMatchObject({ status: 200, rest: "ordinary" });
  expect(echo.ordinary[0]!.headers).not.toHaveProperty("http2-settings");
  await open(`ws://127.0.0.1:${port}/live/main`);
});

test("a connection may have served ordinary requests before", async () => {
  const echo = await startEcho();
  const { port } = await startLive(echo.port);
  const first = "GET /live/main HTTP/1.1\r\nHost: gateway.test\r\n\r\n";
  const socket = net.connect(port, "127.0.0.1");
  socket.write(first);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  socket.write(handshake());
  const [switched] = (await once(socket, "data")) as [Buffer];
  expect(switched.toString()).toMatch(/^HTTP\/1\.1 101 /);
  socket.destroy();
});

test("a handshake that does not wait for an earlier answer on its connection is cut off, and harms nobody else", async () => {
  const echo = await startEcho();
  const { port, url } = await startLive(echo.port);
  const early = `GET /live/main HTTP/1.1\r\nHost: gateway.test\r\n\r\n${handshake()}`;
  expect((await askRaw(port, early)).head).not.toContain("101");
  const socket = await open(url);
  expect((await exchange(socket, "hello")).message.toString()).toBe("hello");
});

test("a server with TLS takes WebSockets too", async () => {
  const echo = await startEcho();
  const gateway = liveGateway(echo.port);
  const tls = {
    key: readFileSync("__tests__/fixtures/tls/key.pem"),
    cert: readFileSync("__tests__/fixtures/tls/cert.pem"),
  };
  const server = createSecureServer(tls, gateway).on("upgrade", upgradeThrough(gateway));
  const port = await listen(server);
  cleanUpLater(() => closeServer(server));
  cleanUpLater(() => gateway.close({ grace: 0 }));
  const socket = await open(`wss://127.0.0.1:${port}/live/main`, { rejectUnauthorized: false });
  const message = "x".repeat(1_000_000);
  expect((await exchange(socket, message)).message.toString()).toBe(message);
  expect(echo.arrivals[0]!.headers["x-forwarded-proto"]).toBe("https");
});

test("once upgraded, the response cannot be written to, and has finished for those who look", async () => {
  const echo = await startEcho();
  const seen: string[] = [];
  let late = (): void => undefined;
  const app = (gateway: Gateway): RequestListener =>
    express()
      .use((_req, res, next) => {
        late = () => res.write("this must not reach the WebSocket");
        res.on("finish", () => seen.push(`finish ${res.statusCode}`));
        res.on("close", () => seen.push("close"));
        next();
      })
      .use(gateway);
  const { url } = await startLive(echo.port, { app });
  const socket = await open(url);
  late();
  expect((await exchange(socket, "hello")).message.toString()).toBe("hello");
  expect(seen).toEqual(["finish 101", "close"]);
});

test("the sample handshake of RFC 6455 gets the accept value of RFC 6455", async () => {
  const echo = await startEcho();
  const { port } = await startLive(echo.port);
  const { head } = await askRaw(port, `${handshake()}\x88\x80\0\0\0\0`);
  expect(head.toLowerCase().split("\r\n")).toEqual(
    expect.arrayContaining([
      "http/1.1 101 switching protocols",
      "connection: upgrade",
      "upgrade: websocket",
      `sec-websocket-accept: ${sampleAccept.toLowerCase()}`,
    ]),
  );
});

test("upgradeThrough() says what it wants when it gets something else", () => {
  expect(() => upgradeThrough({} as never)).toThrow("upgradeThrough(app)");
});

import { once } from "node:events";
import http from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { accessLog, type GatewayOptions, parseConfig, type RequestObserver } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request, sendBytes } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";

type Line = Record<string, unknown> & { msg: string };

let closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  closers = [];
});

type Scene = Readonly<{ gateway: RunningGateway; upstream: Upstream; line: () => Promise<Line>; lines: Line[] }>;

async function setScene(route: object, options: GatewayOptions = {}): Promise<Scene> {
  const upstream = await startUpstream((req, res) => {
    req.resume().on("end", () => res.writeHead(201, { "content-length": "5" }).end("hello"));
  });
  const lines: Line[] = [];
  let tell = (): void => undefined;
  const logger = pino(
    { base: null },
    {
      write(text: string) {
        lines.push(JSON.parse(text) as Line);
        tell();
      },
    },
  );
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const config = { Routes: [{ Key: "the-route", DownstreamHostAndPorts, ...route }] };
  const gateway = await startGateway(config, {
    ...options,
    observers: [accessLog(logger), ...(options.observers ?? [])],
  });
  closers.push(gateway.close, upstream.close);
  return { gateway, upstream, lines, line };

  async function line(): Promise<Line> {
    while (lines.length === 0) await new Promise<void>((resolve) => (tell = resolve));
    return lines.shift()!;
  }
}

const orders = { UpstreamPathTemplate: "/orders/{id}", DownstreamPathTemplate: "/api/{id}" };

describe.each(engines)("the access log, $name", ({ create }) => {
  test("has one line with what happened", async () => {
    const { gateway, upstream, line, lines } = await setScene(orders, { engine: create() });
    await request({ port: gateway.port, path: "/orders/7?page=2", method: "POST", body: "12345678" });
    const { msg, time, level, startedAt, duration, answeredAfter, sent, ...fields } = await line();
    expect(msg).toMatch(/^POST \/orders\/7\?page=2 -> http:\/\/127\.0\.0\.1:\d+\/api\/7\?page=2 201 \d+ ms$/);
    expect(fields).toEqual({
      route: "the-route",
      method: "POST",
      path: "/orders/7?page=2",
      mountPath: "",
      target: `http://127.0.0.1:${upstream.port}/api/7?page=2`,
      status: 201,
      received: 8,
    });
    expect([time, level, Date.parse(String(startedAt)) > 1.7e12]).toEqual([expect.any(Number), 30, true]);
    expect(Number(duration)).toBeGreaterThanOrEqual(Number(answeredAfter));
    expect(Number(sent)).toBeGreaterThan("hello".length);
    expect(lines).toEqual([]);
  });

  test("tells the code of what went wrong", async () => {
    const { gateway, upstream, line } = await setScene(orders, { engine: create() });
    await upstream.refuse();
    await request({ port: gateway.port, path: "/orders/7" });
    expect(await line()).toMatchObject({ status: 502, error: "upstream-refused", route: "the-route" });
  });

  test("tells of a client that left", async () => {
    let arrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const { gateway, upstream, line } = await setScene(orders, { engine: create() });
    upstream.server.removeAllListeners("request").on("request", () => arrived());
    const client = http.get({ port: gateway.port, path: "/orders/7" });
    client.on("error", () => undefined);
    await arrival;
    client.destroy();
    expect(await line()).toMatchObject({ status: 499, error: "client-gone" });
  });

  test("tells of a server that cuts an upload off, and not of a client that left", async () => {
    const { gateway, line } = await setScene(orders, { engine: create() });
    const server = http.createServer({ requestTimeout: 100, connectionsCheckingInterval: 20 }, gateway.gateway);
    const port = await listen(server);
    const answer = await sendBytes(port, "POST /orders/7 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1");
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(await line()).toMatchObject({ status: 408, error: "request-timeout" });
    await closeServer(server);
  });

  test("an observer sets what is sent", async () => {
    const observer: RequestObserver = {
      begin: () => ({ sending: ({ headers }) => (headers["x-trace"] = "abc"), ended: () => undefined }),
    };
    const { gateway, upstream } = await setScene(orders, { engine: create(), observers: [observer] });
    const asked = once(upstream.server, "request") as Promise<[http.IncomingMessage]>;
    await request({ port: gateway.port, path: "/orders/7" });
    expect((await asked)[0].headers["x-trace"]).toBe("abc");
  });
});

test.each<[string, object, string, string, string]>([
  [
    "a parameter named like a secret",
    orders,
    "/orders/7?api_key=k1&a=b",
    "/orders/7?api_key=***&a=b",
    "/api/7?api_key=***&a=b",
  ],
  [
    "its name encoded",
    orders,
    "/orders/7?access%5Ftoken=k1",
    "/orders/7?access%5Ftoken=***",
    "/api/7?access%5Ftoken=***",
  ],
  ["a code", orders, "/orders/7?code=k1&postcode=9", "/orders/7?code=***&postcode=9", "/api/7?code=***&postcode=9"],
  [
    "the template's own parameter",
    { ...orders, DownstreamPathTemplate: "/api/{id}?plan=gold" },
    "/orders/7",
    "/orders/7",
    "/api/7?plan=***",
  ],
  [
    "a placeholder named like a secret",
    { UpstreamPathTemplate: "/by/{token}/x", DownstreamPathTemplate: "/t/{token}" },
    "/by/k1/x",
    "/by/***/x",
    "/t/***",
  ],
  ...["code[]", "auth[code]", "code%5B%5D", "code%20", "codes", "pwd"].map(
    (name): [string, object, string, string, string] => [
      `a parameter ${name}`,
      orders,
      `/orders/7?${name}=k1`,
      `/orders/7?${name}=***`,
      `/api/7?${name}=***`,
    ],
  ),
  [
    "a parameter behind a semicolon",
    orders,
    "/orders/7?x=1;apikey=k1",
    "/orders/7?x=1;apikey=***",
    "/api/7?x=1;apikey=***",
  ],
  ["a parameter of the path", orders, "/orders/7;apikey=k1", "/orders/7;apikey=***", "/api/7;apikey=***"],
  [
    "values of which one is part of another",
    { UpstreamPathTemplate: "/by/{code}/{key}", DownstreamPathTemplate: "/t/{code}/{key}" },
    "/by/k/k1",
    "/by/***/***",
    "/t/***/***",
  ],
  [
    "a placeholder whose value is escaped on its way from a query into a path",
    { UpstreamPathTemplate: "/by?t={token}", DownstreamPathTemplate: "/t/{token}" },
    "/by?t=k1/c+d==",
    "/by?t=***",
    "/t/***?t=***",
  ],
  [
    "a placeholder whose value the client has escaped without need",
    { UpstreamPathTemplate: "/by/{token}/x", DownstreamPathTemplate: "/t/{token}" },
    "/by/%6B1%7e/x",
    "/by/***/x",
    "/t/***",
  ],
])("%s is masked", async (_reason, route, asked, path, sent) => {
  const { gateway, upstream, line } = await setScene(route);
  await request({ port: gateway.port, path: asked });
  const { msg, ...fields } = await line();
  expect(fields).toMatchObject({ path, target: `http://127.0.0.1:${upstream.port}${sent}` });
  expect(msg).not.toContain("k1");
});

test("a placeholder that middleware has changed is masked before and after", async () => {
  const route = { UpstreamPathTemplate: "/by/{token}/x", DownstreamPathTemplate: "/t/{token}" };
  const { gateway, upstream, line } = await setScene(route, {
    middleware: [(_req, res, next) => ((res.locals.placeholders.token = "k2 é/"), next())],
  });
  await request({ port: gateway.port, path: "/by/k1/x" });
  expect(await line()).toMatchObject({ path: "/by/***/x", target: `${upstream.origin}/t/***` });
});

test("the host that was asked last is the target", async () => {
  const gone = await startUpstream();
  await gone.refuse();
  const { gateway, upstream, line } = await setScene(orders);
  await gateway.gateway.reload(
    parseConfig(
      {
        Routes: [
          {
            ...orders,
            DownstreamHostAndPorts: [gone.port, upstream.port].map((Port) => ({ Host: "127.0.0.1", Port })),
            LoadBalancerOptions: { Type: "RoundRobin" },
          },
        ],
      },
      { logger: false },
    ),
  );
  await request({ port: gateway.port, path: "/orders/7" });
  expect(await line()).toMatchObject({ status: 201, target: `${upstream.origin}/api/7` });
  await gone.close();
});

test("a request that is cut off as the gateway closes is not the client's doing", async () => {
  const messages: string[] = [];
  const note = (_fields: object, message: string): void => void messages.push(message);
  const { gateway, upstream, line } = await setScene(orders, {
    logger: { error: note, warn: note, info: () => undefined, debug: () => undefined },
  });
  upstream.server.removeAllListeners("request").on("request", () => void gateway.gateway.close({ grace: 0 }));
  await expect(request({ port: gateway.port, path: "/orders/7" })).rejects.toThrow("socket hang up");
  expect(await line()).toMatchObject({ status: 503, error: "closing" });
  expect(messages).toEqual(["A request was cut off, as the gateway closes and its time was up."]);
});

test("an observer that throws harms nobody, and is logged", async () => {
  const messages: string[] = [];
  const note = (_fields: object, message: string): void => void messages.push(message);
  const observer: RequestObserver = {
    begin: () => ({
      ended() {
        throw new Error("no");
      },
    }),
  };
  const { gateway, line } = await setScene(orders, {
    observers: [observer],
    logger: { error: note, warn: note, info: () => undefined, debug: () => undefined },
  });
  expect((await request({ port: gateway.port, path: "/orders/7" })).status).toBe(201);
  expect(await line()).toMatchObject({ status: 201 });
  expect(messages).toEqual(["An observer failed; requests go on."]);
});

test("a request that middleware lets leave the gateway has no line", async () => {
  const { gateway, lines } = await setScene(orders, { middleware: [(_req, _res, next) => next("router")] });
  expect((await request({ port: gateway.port, path: "/orders/7" })).status).toBe(404);
  expect(lines).toEqual([]);
});

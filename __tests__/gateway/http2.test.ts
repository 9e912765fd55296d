import { readFileSync } from "node:fs";
import http2, { type Http2SecureServer, type Http2Server } from "node:http2";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import connect from "connect";
import { createGateway, type Gateway, type GatewayOptions, parseConfig, problemDetails } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

type App = (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse) => void;

const folder = new URL("../fixtures/tls/", import.meta.url).pathname;
const tls = { key: readFileSync(`${folder}key.pem`), cert: readFileSync(`${folder}cert.pem`) };
const cleanups: (() => unknown)[] = [];
let upstream: Upstream;

beforeEach(async () => {
  upstream = await startUpstream();
  cleanups.push(upstream.close);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function makeGateway(options: GatewayOptions): Gateway {
  const route = {
    UpstreamPathTemplate: "/x/{y}",
    DownstreamPathTemplate: "/{y}",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
  };
  const config = parseConfig({ Routes: [route] }, { logger: false });
  const gateway = createGateway(config, { logger: false, ...options });
  cleanups.push(() => gateway.close({ grace: 0 }));
  return gateway;
}

async function start(server: Http2Server | Http2SecureServer): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

type Answer = Readonly<{ status: unknown; body: string }>;

async function ask(origin: string, headers: http2.OutgoingHttpHeaders, body?: string): Promise<Answer> {
  const session = http2.connect(origin, { rejectUnauthorized: false });
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  let text = "";
  let status: unknown;
  stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  stream.on("response", (head) => (status = head[":status"]));
  await new Promise((resolve, reject) => stream.once("close", resolve).once("error", reject));
  session.destroy();
  return { status, body: text };
}

const apps: readonly Readonly<{ name: string; wrap: (gateway: Gateway) => App }>[] = [
  { name: "alone", wrap: (gateway) => gateway as unknown as App },
  {
    name: "in Connect",
    wrap: (gateway) =>
      connect()
        .use(gateway)
        .use(problemDetails() as never) as unknown as App,
  },
];

describe.each(apps)("a request of node:http2, $name", ({ wrap }) => {
  describe.each(engines)("$name", ({ create }) => {
    test.each([
      ["GET", { ":path": "/x/1" }, undefined],
      ["POST", { ":path": "/x/1", ":method": "POST" }, "with a body"],
      [
        "with headers that would be cleaned",
        { ":path": "/x/1", "x-forwarded-for": "1.2.3.4", te: "trailers" },
        undefined,
      ],
    ])("is refused by name: %s", async (_title, headers, body) => {
      const observed: unknown[] = [];
      const gateway = makeGateway({
        engine: create(),
        observers: [{ begin: (request) => void observed.push(request) }],
      });
      const port = await start(http2.createServer(wrap(gateway)));
      const answer = await ask(`http://127.0.0.1:${port}`, headers, body);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        505,
        expect.objectContaining({ code: "http2-unsupported" }),
      ]);
      expect([upstream.requests.length, gateway.health().running]).toEqual([0, 0]);
    });
  });

  test("is left alone where no route matches", async () => {
    const port = await start(http2.createServer(wrap(makeGateway({}))));
    expect((await ask(`http://127.0.0.1:${port}`, { ":path": "/nowhere" })).status).toBe(404);
  });

  test("over TLS is refused, while one of HTTP/1.1 at the same port is answered", async () => {
    const port = await start(http2.createSecureServer({ ...tls, allowHTTP1: true }, wrap(makeGateway({}))));
    const refused = await ask(`https://127.0.0.1:${port}`, { ":path": "/x/1" });
    const status = await new Promise((resolve, reject) => {
      const options = { port, host: "127.0.0.1", path: "/x/1", rejectUnauthorized: false, agent: false };
      https.get(options, (res) => resolve(res.resume().statusCode)).once("error", reject);
    });
    expect([refused.status, status]).toEqual([505, 200]);
  });
});

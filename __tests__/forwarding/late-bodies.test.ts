import http from "node:http";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createGateway, type DelegatingHandler, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { serve } from "../helpers/start-gateway.ts";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** An upstream that answers when a request is whole; its connections can be ended, as those that are idle are. */
async function startClosing(): Promise<Upstream & { closeConnections: () => void }> {
  const upstream = await startUpstream();
  ending.push(() => upstream.close());
  return { ...upstream, closeConnections: () => upstream.server.closeAllConnections() };
}

const framings = [
  { framing: "of known length", headers: { "content-length": "10" } },
  { framing: "in chunks", headers: { "transfer-encoding": "chunked" } },
];

describe.each(engines)("With $name, a body that begins late", ({ create }) => {
  async function start(port: number, retry = {}, handlers: DelegatingHandler[] = []): Promise<number> {
    const Route = {
      UpstreamPathTemplate: "/x",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
      ...retry,
    };
    const config = parseConfig({ Routes: [Route] }, { logger: false });
    const gateway = createGateway(config, { logger: false, engine: create(), handlers });
    const running = await serve(gateway, gateway);
    ending.push(() => running.close());
    return running.port;
  }

  /** A request whose body is sent when its caller says so. */
  function open(port: number, parts: Pick<http.RequestOptions, "method" | "headers">) {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const asking = http.request({ port, path: "/x", agent: false, ...parts }, (res) => {
      res.resume();
      resolve(res.statusCode!);
    });
    asking.on("error", reject).flushHeaders();
    return { asking, status: promise };
  }

  test.each(framings)(
    "comes whole, $framing, where the service has closed the kept connection meanwhile",
    async ({ headers }) => {
      const upstream = await startClosing();
      const port = await start(upstream.port);
      await request({ port, path: "/x" });
      const { asking, status } = open(port, { method: "POST", headers });
      await isUnderWay();
      upstream.closeConnections();
      await isUnderWay();
      asking.write("01234");
      asking.end("56789");
      expect(await status).toBe(200);
      expect(upstream.requests.slice(1).map(({ body }) => String(body))).toEqual(["0123456789"]);
    },
  );

  test.each(framings)(
    "comes whole, $framing, where it begins between a try that has failed and the next one",
    async ({ headers }) => {
      const upstream = await startClosing();
      let connections = 0;
      upstream.server.prependListener("connection", (socket: Socket) => {
        connections += 1;
        if (connections < 4) setTimeout(() => socket.destroy(), 20);
      });
      const port = await start(upstream.port, { Retry: { Count: 4, Methods: ["PUT"] } });
      const { asking, status } = open(port, { method: "PUT", headers });
      upstream.server.once("connection", (socket: Socket) => {
        socket.once("close", () => {
          asking.write("01234");
          asking.end("56789");
        });
      });
      expect(await status).toBe(200);
      expect(upstream.requests.map(({ body }) => String(body))).toEqual(["0123456789"]);
    },
  );

  test("comes from a handler's stream, too", async () => {
    const upstream = await startClosing();
    const late = new PassThrough();
    const setLate: DelegatingHandler = (outgoing, next) => {
      if (outgoing.method === "POST") outgoing.body = late;
      return next();
    };
    const port = await start(upstream.port, {}, [setLate]);
    await request({ port, path: "/x" });
    const { asking, status } = open(port, { method: "POST" });
    asking.end();
    await isUnderWay();
    upstream.closeConnections();
    await isUnderWay();
    late.end("0123456789");
    expect(await status).toBe(200);
    expect(upstream.requests.slice(1).map(({ body }) => String(body))).toEqual(["0123456789"]);
  });
});

/** Long enough for a head to be on its way through the gateway, and for a closed connection to be noticed. */
function isUnderWay(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 100));
}

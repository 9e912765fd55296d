import { once } from "node:events";
import http, { type RequestListener, type ServerResponse } from "node:http";
import net from "node:net";
import { setImmediate as setImmediately, setTimeout as wait } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import {
  createGateway,
  parseConfig,
  type RequestObserver,
  type RequestRecord,
  upgradeThrough,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { serve, startGateway } from "../helpers/start-gateway.ts";
import { closeServer, listen, startUpstream } from "../helpers/start-upstream.ts";

const handshake = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: x"];
const get = (path: string, ...headers: readonly string[]) =>
  [`GET ${path} HTTP/1.1`, "Host: gw.example", ...headers, "", ""].join("\r\n");

test.each(engines)(
  "a WebSocket asked for behind requests under way cuts the connection, the first ends and none behind it begins, $name",
  async ({ create }) => {
    const upstream = await startUpstream(() => undefined);
    const ended: RequestRecord[] = [];
    const observers: RequestObserver[] = [];
    const allEnded = new Promise<void>((resolve) => {
      const note = (record: RequestRecord) => ended.push(record) > 0 && resolve();
      observers.push({ begin: () => ({ ended: note }) });
    });
    const route = {
      UpstreamPathTemplate: "/{x}",
      DownstreamPathTemplate: "/{x}",
      DownstreamScheme: "ws",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    };
    const running = await startGateway({ Routes: [route] }, { engine: create(), observers });
    running.server.on("upgrade", upgradeThrough(running.gateway));
    const client = net.connect(running.port, "127.0.0.1").on("error", () => undefined);
    client.write(get("/a") + get("/b") + get("/c") + get("/socket", ...handshake));
    await once(client, "close");
    await allEnded;
    expect(ended.map(({ path, error }) => `${path} ${error}`)).toEqual(["/a client-gone"]);
    expect(running.gateway.health().running).toBe(0);
    await running.close();
    await upstream.close();
  },
);

test.each(engines)(
  "requests that are still with middleware before the gateway as their connection is cut so take no places, $name",
  async ({ create }) => {
    const upstream = await startUpstream(() => undefined);
    const target = { Host: "127.0.0.1", Port: upstream.port };
    const route = { UpstreamPathTemplate: "/{x}", DownstreamPathTemplate: "/{x}", DownstreamHostAndPorts: [target] };
    const errors: unknown[] = [];
    const ended: RequestRecord[] = [];
    const observers: RequestObserver[] = [{ begin: () => ({ ended: (record) => void ended.push(record) }) }];
    const gateway = createGateway(parseConfig({ Routes: [route] }), { engine: create(), observers, logger: false });
    const held: (() => void)[] = [];
    const running = await serve((req, res) => {
      held.push(() => gateway(req, res, (error) => errors.push(error)));
    }, gateway);
    running.server.on("upgrade", upgradeThrough(gateway));
    const client = net.connect(running.port, "127.0.0.1").on("error", () => undefined);
    client.write(get("/a") + get("/b") + get("/c") + get("/socket", ...handshake));
    await once(client, "close");
    while (held.length < 3 || (await connectionsOf(running)) > 0) await setImmediately();
    for (const goOn of held) goOn();
    expect(ended.map(({ path, error }) => `${path} ${error}`)).toEqual(["/a client-gone"]);
    expect(running.gateway.health().running).toBe(0);
    expect(errors).toEqual([]);
    await running.close();
    await upstream.close();
  },
);

function connectionsOf({ server }: Awaited<ReturnType<typeof startGateway>>): Promise<number> {
  return new Promise((resolve) => void server.getConnections((_error, count) => resolve(count)));
}

const other = ["Connection: Upgrade", "Upgrade: h2c"];
const long = Buffer.alloc(4_000_000, "x");

test.each(engines)(
  "a long answer goes on though a request for another upgrade is behind it, $name",
  async ({ create }) => {
    const upstream = await startUpstream((_req, res) =>
      res.writeHead(200, { "content-length": long.length }).end(long),
    );
    const target = { Host: "127.0.0.1", Port: upstream.port };
    const route = { UpstreamPathTemplate: "/{x}", DownstreamPathTemplate: "/{x}", DownstreamHostAndPorts: [target] };
    const running = await startGateway({ Routes: [route] }, { engine: create() });
    running.server.on("upgrade", upgradeThrough(running.gateway));
    const client = net.connect(running.port, "127.0.0.1");
    client.write(get("/a") + get("/b", ...other) + get("/c", "Connection: close"));
    let bytes = 0;
    client.on("data", (piece: Buffer) => (bytes += piece.length)).pause();
    setImmediate(() => client.resume());
    await once(client, "close");
    expect(bytes).toBeGreaterThan(long.length * 3);
    await running.close();
    await upstream.close();
  },
);

test.each(engines)(
  "a client that leaves is noticed though it has asked for another upgrade, $name",
  async ({ create }) => {
    const upstream = await startUpstream((_req, res) => res.writeHead(200).flushHeaders());
    const target = { Host: "127.0.0.1", Port: upstream.port };
    const route = { UpstreamPathTemplate: "/{x}", DownstreamPathTemplate: "/{x}", DownstreamHostAndPorts: [target] };
    const running = await startGateway({ Routes: [route] }, { engine: create() });
    running.server.on("upgrade", upgradeThrough(running.gateway));
    const client = net.connect({ port: running.port, host: "127.0.0.1", allowHalfOpen: true });
    client.write(get("/a") + get("/b", ...other));
    await once(client, "data");
    client.end();
    client.on("error", () => undefined).resume();
    await once(client, "close");
    while (running.gateway.health().running > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await running.close();
    await upstream.close();
  },
);

test("a client that leaves is noticed though its connection was stopped as it asked for another upgrade", async () => {
  const left = Promise.withResolvers<void>();
  const answer: RequestListener = (req, res) => {
    // As it is more than a connection takes at once, Node stops reading at the next request.
    if (req.url === "/a") res.on("close", left.resolve).write(Buffer.alloc(100_000));
  };
  const server = http.createServer(answer).on("upgrade", upgradeThrough(answer));
  const client = net.connect(await listen(server), "127.0.0.1").resume();
  client.write(get("/a") + get("/b") + get("/c", ...other));
  while (client.bytesRead < 100_000) await setImmediately();
  client.end();
  await left.promise;
  await closeServer(server);
});

test.each(engines)(
  "a long request for another upgrade waits until the earlier answer has been sent, read no further than its turn needs, $name",
  async ({ create }) => {
    const held: ServerResponse[] = [];
    const upstream = await startUpstream((req, res) => {
      let bytes = 0;
      req.on("data", ({ length }: Buffer) => (bytes += length));
      req.on("end", () => (req.url === "/a" ? held.push(res) : res.end(`[${req.url} ${bytes}]`)));
    });
    const target = { Host: "127.0.0.1", Port: upstream.port };
    const route = { UpstreamPathTemplate: "/{x}", DownstreamPathTemplate: "/{x}", DownstreamHostAndPorts: [target] };
    const running = await startGateway({ Routes: [route] }, { engine: create() });
    running.server.on("upgrade", upgradeThrough(running.gateway));
    const accepted = once(running.server, "connection");
    const client = net.connect(running.port, "127.0.0.1").on("error", () => undefined);
    const closed = once(client, "close");
    client.write(get("/a"));
    const [socket] = (await accepted) as [net.Socket];
    client.write(get("/b", ...other, `Content-Length: ${long.length}`).replace("GET", "POST"));
    client.write(long);
    client.write(get("/c", "Connection: close"));
    let text = "";
    client.on("data", (piece: Buffer) => (text += piece.toString()));
    while (held.length === 0 || (socket.bytesRead < 100_000 && !socket.destroyed)) await setImmediately();
    for (let turn = 0; turn < 200; turn += 1) await setImmediately();
    expect(socket.bytesRead).toBeLessThan(600_000);
    held[0]!.end("[/a]");
    await closed;
    expect(text.match(/\[.*?\]/g)).toEqual(["[/a]", `[/b ${long.length}]`, "[/c 0]"]);
    await running.close();
    await upstream.close();
  },
);

test("an answer to a request for another upgrade may take longer than a connection is kept idle", async () => {
  const held: ServerResponse[] = [];
  const server = http.createServer((_req, res) => held.push(res));
  server.keepAliveTimeout = 1;
  server.keepAliveTimeoutBuffer = 1;
  server.on(
    "upgrade",
    upgradeThrough(() => undefined),
  );
  const port = await listen(server);
  const client = net.connect(port, "127.0.0.1");
  client.write(get("/a") + get("/b", ...other, "Connection: close"));
  while (held.length < 1) await setImmediately();
  held[0]!.end("a");
  while (held.length < 2) await setImmediately();
  await wait(20);
  held[1]!.end("[b]");
  const text = (await client.toArray()).join("");
  expect(text).toContain("[b]");
  await closeServer(server);
});

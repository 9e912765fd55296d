import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type RunningWaymark, startWaymark } from "./run-waymark.ts";

const fastClocks = new URL("./fast-clocks.mjs", import.meta.url).href;
const pieces = 44;
const largeBytes = 32_000_000;
const rest = Buffer.alloc(2_000_000, "x");
const last = `Host: localhost\r\nConnection: close\r\nContent-Length: ${rest.length + 5}\r\n\r\nbegin`;
const endless = "Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";

describe.each(["http-proxy-middleware", "undici"])("waymark serve with %s", (engine) => {
  const largeEnded = Promise.withResolvers<void>();
  let upstream: Upstream;
  let folder: string;
  let service: RunningWaymark;
  let port: number;

  beforeAll(async () => {
    upstream = await startUpstream((req, res) => {
      if (req.url === "/early") res.end("early");
      else if (req.url === "/large") res.once("close", () => largeEnded.resolve()).end(Buffer.alloc(largeBytes));
      else req.on("end", () => res.end("whole")).resume();
    });
    folder = await mkdtemp(join(tmpdir(), "waymark-uploads-"));
    const hosts = [{ Host: "127.0.0.1", Port: upstream.port }];
    // As these clocks go, the usual five seconds for a connection are 20 ms: too few on a busy machine.
    const patience = { Timeout: 3_600, Limits: { Connect: 600 } };
    const paths = { UpstreamPathTemplate: "/up/{id}", DownstreamPathTemplate: "/{id}" };
    const route = { ...paths, DownstreamHostAndPorts: hosts, ...patience };
    await writeFile(join(folder, "gateway.json"), JSON.stringify({ Routes: [route] }));
    const words = [
      "serve",
      "gateway.json",
      "--port",
      "0",
      "--engine",
      engine,
      "--health",
      "/healthz,/readyz",
      "--openapi",
    ];
    service = startWaymark(words, { cwd: folder, env: { NODE_OPTIONS: `--import=${fastClocks}` } });
    port = Number((await service.line(({ msg }) => msg.startsWith("Listening on "))).port);
  });

  afterAll(async () => {
    service.signal("SIGINT");
    await service.ended;
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("lets an upload go on for as long as it does not stall", async () => {
    const req = http.request({ port, host: "127.0.0.1", method: "POST", path: "/up/slow" });
    const answered = once(req, "response") as Promise<[http.IncomingMessage]>;
    // More than Node's five minutes, as these clocks go. A busy machine lets a piece be late, but not by a whole minute.
    for (let piece = 0; piece < pieces; piece += 1) {
      req.write("x");
      await wait(30);
    }
    req.end();
    const [res] = await answered;
    expect(res.statusCode).toBe(200);
    expect(upstream.requests.find(({ target }) => target === "/slow")?.body.toString()).toBe("x".repeat(pieces));
    res.resume();
  });

  test("ends the connection of a client that reads nothing of its answer", async () => {
    const socket = connect(port, "127.0.0.1").pause();
    const closed = new Promise((resolve) => socket.on("error", () => undefined).once("close", resolve));
    socket.write("GET /up/large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await largeEnded.promise;
    // Only whoever reads learns soon that a connection is gone.
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(largeBytes);
  });

  test.each([
    ["an upstream that answers early", "POST /up/early HTTP/1.1\r\n", /^HTTP\/1.1 200 /],
    ["a path that no route takes", "POST /nowhere HTTP/1.1\r\n", /^HTTP\/1.1 404 /],
    ["a health check", "GET /healthz HTTP/1.1\r\n", /^HTTP\/1.1 200 /],
    ["an expectation that nobody meets", "POST /up/early HTTP/1.1\r\nExpect: more\r\n", /^HTTP\/1.1 417 /],
  ])("takes an upload to its end behind the last answer of a connection: %s", async (_name, begin, expected) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let received = "";
    socket.setEncoding("latin1").on("data", (text: string) => (received += text));
    socket.write(begin + last);
    await once(socket, "end");
    // What comes to a connection that is gone is answered by a reset: once() rejects then.
    socket.end(rest);
    await once(socket, "close");
    expect(received).toMatch(expected);
  });

  test("ends the connection of a client that goes on sending behind the last answer of a connection", async () => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).resume();
    const closed = new Promise((resolve) => socket.on("error", () => undefined).once("close", resolve));
    socket.write(`POST /nowhere HTTP/1.1\r\nConnection: close\r\n${endless}`);
    await once(socket, "end");
    const dripping = setInterval(() => socket.writable && socket.write("1\r\nx\r\n"), 50);
    await closed;
    clearInterval(dripping);
  });

  test.each([
    ["a head that never ends", "GET /up/1 HTTP/1.1\r\nHost: localhost\r\n", "a: b\r\n", /^HTTP\/1.1 408 /],
    ["nothing at all", "", "", /^HTTP\/1.1 408 /],
    ["a body that no route takes", `POST /nowhere HTTP/1.1\r\n${endless}`, "1\r\nx\r\n", /^HTTP\/1.1 404 /],
    ["a body of a health check", `GET /healthz HTTP/1.1\r\n${endless}`, "1\r\nx\r\n", /^HTTP\/1.1 200 /],
    [
      "a body that is answered before its end",
      `POST /up/early HTTP/1.1\r\n${endless}`,
      "1\r\nx\r\n",
      /^HTTP\/1.1 200 /,
    ],
  ])("ends the connection of a client that sends %s", async (_name, begin, more, expected) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.setEncoding("latin1").on("data", (text: string) => (received += text));
    // Whoever still writes to a connection that is gone is told so by a reset: that ends it, too, and once() would reject.
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(begin);
    // Node reads what has come between a timer and this: a reset for the piece would discard an answer that is there.
    const drip = (): unknown => setImmediate(() => socket.writable && socket.write(more));
    const dripping = more === "" ? undefined : setInterval(drip, 50);
    await closed;
    clearInterval(dripping);
    expect(received).toMatch(expected);
  });
});

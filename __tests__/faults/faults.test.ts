import { describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import type { Wire } from "./wire.ts";
import { ok, request, type Scene, type SceneOptions, setScene } from "./scene.ts";

type Fault = Readonly<{ name: string; options?: SceneOptions; play: (scene: Scene) => Promise<void> }>;

const short = { Timeout: 0.2 };
const upload = request("POST", "/x", "Content-Length: 10");
const chunks = request("POST", "/x", "Transfer-Encoding: chunked");

function answers(status: number, code: string) {
  return async ({ client, logged }: Scene, bytes = request("GET", "/x")) => {
    const { write, until, received } = client();
    write(bytes);
    await until(`"code":"${code}"`);
    expect(received()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(received()).not.toContain("127.0.0.1");
    expect(logged).toContain(code);
  };
}

const connectFaults: readonly Fault[] = [
  {
    name: "connect: refused",
    async play(scene) {
      await scene.upstream.close();
      await answers(502, "upstream-refused")(scene);
    },
  },
  {
    name: "connect: refused, with an upload that came whole",
    async play(scene) {
      await scene.upstream.close();
      await answers(502, "upstream-refused")(scene, `${upload}0123456789`);
    },
  },
  {
    name: "connect: refused, with an upload that does not come",
    async play(scene) {
      await scene.upstream.close();
      const { write, ended, received } = scene.client();
      write(upload);
      await ended;
      expect(received()).toMatch(/^HTTP\/1.1 502 [^]*connection: close[^]*"code":"upstream-refused"/i);
    },
  },
  {
    name: "connect: a name that nobody knows",
    options: { route: { DownstreamHostAndPorts: [{ Host: "nowhere.invalid", Port: 80 }] } },
    play: answers(502, "upstream-not-found"),
  },
  {
    name: "connect: no TLS where there should be",
    options: {
      route: { DownstreamScheme: "https" },
      serveOne: ({ write }) => write("HTTP/1.1 400 Bad Request\r\n\r\n"),
    },
    play: answers(502, "upstream-tls"),
  },
  {
    name: "connect: a TLS handshake that stalls",
    options: { route: { DownstreamScheme: "https", Limits: { Connect: 0.2 } } },
    play: answers(504, "connect-timeout"),
  },
  {
    name: "connect: a TLS handshake that is cut",
    options: { route: { DownstreamScheme: "https" }, serveOne: ({ socket }) => socket.resetAndDestroy() },
    play: answers(502, "upstream-reset"),
  },
  {
    name: "connect: the client leaves while the connection is made",
    options: { route: { DownstreamScheme: "https" } },
    async play({ client, upstream }) {
      const { write, socket } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      socket.destroy();
      await connection.ended;
    },
  },
];

const headFaults: readonly Fault[] = [
  {
    name: "head: reset",
    async play(scene) {
      const answered = answers(502, "upstream-reset")(scene, request("POST", "/x"));
      const { until, socket } = await scene.upstream.next();
      await until("\r\n\r\n");
      socket.resetAndDestroy();
      await answered;
    },
  },
  {
    name: "head: closed on one side",
    async play(scene) {
      const answered = answers(502, "upstream-reset")(scene, request("POST", "/x"));
      const { until, socket } = await scene.upstream.next();
      await until("\r\n\r\n");
      socket.end();
      await answered;
    },
  },
  {
    name: "head: stalls before its first byte",
    options: { route: short },
    play: answers(504, "answer-timeout"),
  },
  {
    name: "head: stalls in its middle",
    options: { route: short },
    async play(scene) {
      const answered = answers(504, "answer-timeout")(scene);
      (await scene.upstream.next()).write("HTTP/1.1 200 OK\r\nX-A:");
      await answered;
    },
  },
  {
    name: "head: nothing but 103",
    options: { route: short },
    async play(scene) {
      const answered = answers(504, "answer-timeout")(scene);
      const { until, write } = await scene.upstream.next();
      await until("\r\n\r\n");
      write("HTTP/1.1 103 Early Hints\r\n\r\n");
      await answered;
    },
  },
  {
    name: "head: the client leaves before it",
    async play({ client, upstream, logged }) {
      const { write, socket } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      await connection.until("\r\n\r\n");
      socket.destroy();
      await connection.ended;
      expect(logged).toEqual(["client-gone"]);
    },
  },
  {
    name: "head: comes after the client left",
    options: { route: short },
    async play({ client, upstream }) {
      const { write, socket } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      await connection.until("\r\n\r\n");
      socket.resetAndDestroy();
      connection.write(ok);
    },
  },
  {
    name: "head: of several at once, one client leaves and the others get theirs",
    async play({ client, upstream }) {
      const clients = [client(), client(), client()];
      for (const { write } of clients) write(request("GET", "/x"));
      const connections = [await upstream.next(), await upstream.next(), await upstream.next()];
      for (const { until } of connections) await until("\r\n\r\n");
      clients[1]!.socket.destroy();
      await Promise.race(connections.map(({ ended }) => ended));
      for (const { write, socket } of connections) if (!socket.destroyed) write(ok);
      await clients[0]!.until("ok");
      await clients[2]!.until("ok");
    },
  },
  {
    name: "head: a client that asked twice at once leaves",
    async play({ client, upstream }) {
      const { write, socket } = client();
      write(request("GET", "/one") + request("GET", "/two"));
      const first = await upstream.next();
      const second = await upstream.next();
      await first.until("\r\n\r\n");
      await second.until("\r\n\r\n");
      socket.destroy();
      await first.ended;
      await second.ended;
    },
  },
  {
    name: "head: answers come in the order of the requests",
    async play({ client, upstream }) {
      const { write, until, received } = client();
      write(request("GET", "/one") + request("GET", "/two"));
      const connections = [await upstream.next(), await upstream.next()];
      for (const connection of connections) await connection.until("\r\n\r\n");
      const first = connections.find((connection) => connection.received().startsWith("GET /one"))!;
      const second = connections.find((connection) => connection !== first)!;
      second.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
      first.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
      await until("second");
      expect(received().indexOf("first")).toBeLessThan(received().indexOf("second"));
    },
  },
];

const large = "x".repeat(4_000_000);

const uploadFaults: readonly Fault[] = [
  {
    name: "upload: the client stalls",
    options: { route: { Limits: { Upload: 0.3 } } },
    async play({ client, upstream }) {
      const { write, ended, received } = client();
      write(`${upload}01234`);
      const connection = await upstream.next();
      await connection.until("01234");
      await ended;
      expect(received()).toMatch(/^HTTP\/1.1 408 [^]*connection: close[^]*"code":"upload-stalled"/i);
      await connection.ended;
    },
  },
  {
    name: "upload: the client is slow, but goes on",
    options: { route: { ...short, Limits: { Upload: 0.3 } } },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(upload);
      const connection = await upstream.next();
      for (const digit of "0123456789") {
        write(digit);
        await connection.until(digit);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      connection.write(ok);
      await until("ok");
    },
  },
  {
    name: "upload: the client leaves in the middle",
    async play({ client, upstream, logged }) {
      const { write, socket } = client();
      write(`${chunks}5\r\n01234\r\n`);
      const connection = await upstream.next();
      await connection.until("01234");
      socket.destroy();
      await connection.ended;
      expect(logged).toEqual(["client-gone"]);
    },
  },
  {
    name: "upload: ill-formed in the middle",
    async play({ client, upstream }) {
      const { write, ended, received } = client();
      write(`${chunks}5\r\n01234\r\n`);
      const connection = await upstream.next();
      await connection.until("01234");
      write("zz\r\n");
      await connection.ended;
      await ended;
      expect(received()).toMatch(/^(HTTP\/1.1 400 |$)/);
    },
  },
  {
    name: "upload: the upstream resets in the middle",
    async play({ client, upstream }) {
      const { write, ended, received } = client();
      write(`${upload}01234`);
      const connection = await upstream.next();
      await connection.until("01234");
      connection.socket.resetAndDestroy();
      await ended;
      expect(received()).toMatch(/^HTTP\/1.1 502 [^]*"code":"upstream-reset"/);
    },
  },
  {
    name: "upload: the upstream closes in the middle",
    async play({ client, upstream }) {
      const { write, ended, received } = client();
      write(`${upload}01234`);
      const connection = await upstream.next();
      await connection.until("01234");
      connection.socket.end();
      await ended;
      expect(received()).toMatch(/^HTTP\/1.1 502 [^]*"code":"upstream-reset"/);
    },
  },
  {
    name: "upload: the upstream stops reading",
    options: { route: { Limits: { Upload: 0.4 } }, serveOne: ({ socket }) => socket.pause() },
    async play({ client }) {
      const { write, until } = client();
      write(request("POST", "/x", "Content-Length: 40000000") + large.repeat(10));
      await until('"code":"answer-timeout"');
    },
  },
  {
    name: "upload: the answer takes too long once it is all there",
    options: { route: short },
    async play(scene) {
      await answers(504, "answer-timeout")(scene, `${upload}0123456789`);
    },
  },
  {
    name: "upload: answered early, the rest is small: the connection goes on",
    async play({ client, upstream }) {
      const { write, until } = client();
      write(`${upload}01`);
      const connection = await upstream.next();
      await connection.until("01");
      connection.write("HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nearly");
      await until("early");
      write(`23456789${request("GET", "/next")}`);
      const next = await nextRequest(upstream, "GET /next");
      next.write(ok);
      await until("ok");
    },
  },
  {
    name: "upload: answered early and closed, the rest is small: the connection goes on",
    async play({ client, upstream }) {
      const { write, until } = client();
      write(`${upload}01`);
      const connection = await upstream.next();
      await connection.until("01");
      connection.socket.end("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 5\r\n\r\nearly");
      await until("early");
      write(`23456789${request("GET", "/next")}`);
      const next = await nextRequest(upstream, "GET /next");
      next.write(ok);
      await until("ok");
    },
  },
  {
    name: "upload: answered early, the rest is large: what is left of it is no request",
    async play({ client, upstream }) {
      const { write, until } = client();
      const rest = request("GET", "/smuggled").repeat(50_000);
      write(request("POST", "/x", `Content-Length: ${rest.length}`) + rest.slice(0, 100));
      const connection = await upstream.next();
      await connection.until("GET /smuggled");
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly");
      await until("early");
      write(rest.slice(100) + request("GET", "/next"));
      const next = await nextRequest(upstream, "GET /next");
      next.write(ok);
      await until("ok");
    },
  },
  {
    name: "upload: answered early, and the rest never comes",
    async play({ client, upstream }) {
      const { write, until } = client();
      write(`${upload}01`);
      const connection = await upstream.next();
      await connection.until("01");
      connection.write("HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nearly");
      await until("early");
      // The call is over although the client is not: nothing is kept for the rest of an upload that nobody reads.
      await connection.ended;
    },
  },
];

/** Skips connections that carry no such request, which engines may keep or close as they like. */
async function nextRequest(upstream: Scene["upstream"], start: string) {
  for (;;) {
    const connection = await upstream.next();
    try {
      await connection.until("\r\n\r\n");
    } catch {
      continue;
    }
    if (connection.received().startsWith(start)) return connection;
  }
}

const bodyFaults: readonly Fault[] = [
  {
    name: "body: stalls, and nobody minds",
    options: { route: short },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      await connection.until("\r\n\r\n");
      connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
      await until("data: 1\n\n");
      await new Promise((resolve) => setTimeout(resolve, 300));
      connection.write("data: 2\n\n");
      await until("data: 2\n\n");
    },
  },
  ...(["reset", "closed"] as const).flatMap((kind): Fault[] => [
    {
      name: `body: ${kind} in the middle of a known length`,
      async play(scene) {
        expect(await cutBody(scene, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", "Content-Length: 10", kind)).not.toContain(
          "HTTP/1.1 502",
        );
      },
    },
    {
      name: `body: ${kind} in the middle of chunks`,
      async play(scene) {
        const received = await cutBody(scene, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", "Transfer-Encoding: chunked", kind);
        expect(received).not.toContain("0\r\n\r\n");
      },
    },
  ]),
  {
    name: "body: cut toward HTTP/1.0, where only a reset tells",
    async play(scene) {
      await cutBody(scene, "GET /x HTTP/1.0\r\nHost: a\r\n\r\n", "Transfer-Encoding: chunked", "closed", "reset");
    },
  },
  {
    name: "body: cut toward HTTP/1.0, on a plain server",
    options: { isPlain: true },
    async play(scene) {
      await cutBody(scene, "GET /x HTTP/1.0\r\nHost: a\r\n\r\n", "Transfer-Encoding: chunked", "closed", "reset");
    },
  },
  {
    name: "body: the client leaves in the middle",
    async play({ client, upstream }) {
      const { write, until, socket } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      await connection.until("\r\n\r\n");
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
      await until("abc");
      socket.destroy();
      await connection.ended;
    },
  },
  {
    name: "body: a client that reads nothing holds the upstream back",
    async play({ client, upstream }) {
      const { write, until, socket } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      await connection.until("\r\n\r\n");
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 400000000\r\n\r\n");
      await until("200 OK");
      socket.pause();
      expect(await countAccepted(connection)).toBeLessThan(100_000_000);
      socket.destroy();
      await connection.ended;
    },
  },
];

/** How many bytes a connection takes until it takes no more. */
async function countAccepted({ socket }: Wire): Promise<number> {
  let accepted = 0;
  for (;;) {
    const isTaken = new Promise((resolve) => socket.write(large, () => resolve(true)));
    const isStuck = new Promise((resolve) => setTimeout(resolve, 300, false));
    if (!(await Promise.race([isTaken, isStuck]))) return accepted;
    accepted += large.length;
  }
}

async function cutBody(
  { client, upstream }: Scene,
  bytes: string,
  framing: string,
  kind: "reset" | "closed",
  seen?: "reset" | "closed",
): Promise<string> {
  const { write, until, received, ended } = client();
  write(bytes);
  const connection = await upstream.next();
  await connection.until("\r\n\r\n");
  connection.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n${framing.startsWith("T") ? "3\r\nabc\r\n" : "abc"}`);
  await until("abc");
  if (kind === "reset") connection.socket.resetAndDestroy();
  else connection.socket.end();
  const end = await ended;
  if (seen !== undefined) expect(end).toBe(seen);
  return received();
}

const reuseFaults: readonly Fault[] = [
  ...(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"] as const).map((method): Fault => ({
    name: `reuse: ${method} on a connection that closes as it is used again is sent once more`,
    options: { serveOne: serveOnceThenDrop },
    async play({ client, upstream }) {
      const { write, until, ended, received } = client();
      write(request("GET", "/first"));
      await until("ok");
      write(request(method, "/second", "Connection: close"));
      await ended;
      expect(received().match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
      expect(upstream.count()).toBe(2);
    },
  })),
  ...(["POST", "PATCH"] as const).map((method): Fault => ({
    name: `reuse: ${method} is not`,
    options: { serveOne: serveOnceThenDrop },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(request("GET", "/first"));
      await until("ok");
      write(request(method, "/second"));
      await until('"code":"upstream-reset"');
      expect(upstream.count()).toBe(1);
    },
  })),
  {
    name: "reuse: a PUT with a body is not",
    options: { serveOne: serveOnceThenDrop },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(request("GET", "/first"));
      await until("ok");
      write(`${request("PUT", "/second", "Content-Length: 2")}ab`);
      await until('"code":"upstream-reset"');
      expect(upstream.count()).toBe(1);
    },
  },
  {
    name: "reuse: no second try once a byte of the answer has come",
    options: {
      serveOne: (wire) =>
        void answerFirst(wire)
          .then(() => wire.until("GET /second"))
          .then(
            () => wire.socket.end("HTTP/1.1 200 OK\r\nX-A"),
            () => undefined,
          ),
    },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(request("GET", "/first"));
      await until("ok");
      write(request("GET", "/second"));
      await until('"code":"upstream-reset"');
      expect(upstream.count()).toBe(1);
    },
  },
  {
    name: "reuse: a fresh connection that closes is not tried again",
    options: { serveOne: ({ socket }) => socket.end() },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(request("GET", "/x"));
      await until('"code":"upstream-reset"');
      expect(upstream.count()).toBe(1);
    },
  },
];

function answerFirst({ until, write }: Parameters<NonNullable<SceneOptions["serveOne"]>>[0]): Promise<void> {
  return until("\r\n\r\n").then(() => write(ok));
}

/** Answers what comes first on a connection, and drops the connection when something else comes. */
function serveOnceThenDrop(wire: Parameters<NonNullable<SceneOptions["serveOne"]>>[0], index: number): void {
  const { until, write, socket } = wire;
  const first = until("\r\n\r\n").then(() => write(ok));
  if (index === 0)
    void first
      .then(() => until(" /second"))
      .then(
        () => socket.destroy(),
        () => undefined,
      );
  else void first.catch(() => undefined);
}

describe.each(engines)("$name", ({ create }) => {
  test.each([...connectFaults, ...headFaults, ...uploadFaults, ...bodyFaults, ...reuseFaults])(
    "$name",
    async ({ options, play }) => {
      const scene = await setScene(create(), options);
      await play(scene);
      await scene.leave();
    },
  );
});

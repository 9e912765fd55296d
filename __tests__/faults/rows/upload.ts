import { expect } from "@jest/globals";
import { ok, request, type Scene } from "../scene.ts";
import { answers, chunks, type Fault, large, short, upload } from "./fault.ts";

/** What goes wrong while the request is sent. */
export const uploadFaults: readonly Fault[] = [
  {
    name: "upload: the client stalls",
    options: { route: { Limits: { Upload: 0.3 } } },
    async play({ client, upstream }) {
      const { write, until, received } = client();
      write(`${upload}01234`);
      const connection = await upstream.next();
      await connection.until("01234");
      await until('"code":"upload-stalled"');
      expect(received()).toMatch(/^HTTP\/1.1 408 [^]*connection: close/i);
      await connection.ended;
    },
  },
  ...[`${chunks}5\r\n01234\r\n`, `${chunks}5;x=`].map((begun): Fault => ({
    name: `upload: the client goes on with nothing but the frame of a chunk behind ${JSON.stringify(begun.slice(-5))}`,
    options: { route: { Limits: { Upload: 0.3 } } },
    async play({ client }) {
      const { write, until, received } = client();
      write(begun);
      const frame = setInterval(() => write("0"), 20);
      await until('"code":"upload-stalled"').finally(() => clearInterval(frame));
      expect(received()).toMatch(/^HTTP\/1.1 408 [^]*connection: close/i);
    },
  })),
  {
    name: "upload: the client is slow, but goes on",
    options: { route: { Timeout: 0.9, Limits: { Upload: 0.9 } } },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(upload);
      const connection = await upstream.next();
      for (const digit of "0123456789") {
        write(digit);
        await connection.until(digit);
        await new Promise((resolve) => setTimeout(resolve, 100));
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
      const { write, until } = client();
      write(`${upload}01234`);
      const connection = await upstream.next();
      await connection.until("01234");
      connection.socket.resetAndDestroy();
      await until('"code":"upstream-reset"');
    },
  },
  {
    name: "upload: the upstream closes in the middle",
    async play({ client, upstream }) {
      const { write, until } = client();
      write(`${upload}01234`);
      const connection = await upstream.next();
      await connection.until("01234");
      connection.socket.end();
      await until('"code":"upstream-reset"');
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

import { expect } from "@jest/globals";
import { ok, request, type SceneOptions } from "../scene.ts";
import type { Fault } from "./fault.ts";

/** What goes wrong on a connection that is used again. */
export const reuseFaults: readonly Fault[] = [
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

import { expect } from "@jest/globals";
import { ok, request, type SceneOptions } from "../scene.ts";
import { createAnswer, type DelegatingHandler } from "../../../src/index.ts";
import type { Fault } from "./fault.ts";
import { answering } from "./row.ts";

const throwAway: DelegatingHandler = async (_outgoing, next) => {
  await next();
  return createAnswer({ status: 200, body: "mine" });
};

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
  ...[
    request("HEAD", "/first"),
    ...["GET", "DELETE", "OPTIONS", "PURGE"].map((method) => `${request(method, "/first", "Content-Length: 2")}ab`),
    `${request("GET", "/first", "Transfer-Encoding: chunked")}2\r\nab\r\n0\r\n\r\n`,
    ...["GET", "DELETE", "OPTIONS"].map(
      (method) => `${request(method, "/first", "Transfer-Encoding: chunked")}0\r\n\r\n`,
    ),
  ].map((first): Fault => ({
    name: `reuse: none behind ${JSON.stringify(first)} with a body that one side may not expect`,
    options: {
      serveOne: ({ write, until }) =>
        void until("\r\n\r\n").then(
          () => write(ok),
          () => undefined,
        ),
    },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(first);
      await until("HTTP/1.1 200 OK");
      const second = client();
      second.write(request("GET", "/second"));
      await second.until("ok");
      expect(upstream.count()).toBe(2);
    },
  })),
  ...[
    "204 No Content\r\nContent-Length: 5\r\n",
    "204 No Content\r\nTransfer-Encoding: chunked\r\n",
    "304 Not Modified\r\nContent-Length: 5\r\n",
  ].map((head): Fault => ({
    name: `reuse: none behind ${JSON.stringify(head)}, which tells of a body where there is none`,
    options: { serveOne: answering(`HTTP/1.1 ${head}\r\n`) },
    async play({ client, upstream }) {
      const first = client();
      first.write(request("GET", "/first"));
      await first.until(`HTTP/1.1 ${head.slice(0, 3)}`);
      await (
        await upstream.next()
      ).ended;
      const second = client();
      second.write(request("GET", "/second"));
      await second.until(`HTTP/1.1 ${head.slice(0, 3)}`);
      expect(upstream.count()).toBe(2);
    },
  })),
  ...["H", "HTTP/1.1 200 OK\r\nX-A: b", "HTTP/1.1 103 E\r\nLink: "].map((more): Fault => ({
    name: `reuse: none behind an answer with ${JSON.stringify(more)} in the same packet`,
    options: {
      serveOne: ({ until, write }) =>
        void until("\r\n\r\n").then(
          () => write(ok + more),
          () => undefined,
        ),
    },
    async play({ client, upstream }) {
      const first = client();
      first.write(request("GET", "/first"));
      await first.until("ok");
      await (
        await upstream.next()
      ).ended;
      const second = client();
      second.write(request("GET", "/second"));
      await second.until("ok");
      expect(upstream.count()).toBe(2);
    },
  })),
  ...["100 Continue\r\nContent-Length: 5\r\n", "102 P\r\nTransfer-Encoding: chunked\r\n"].map((head): Fault => ({
    name: `reuse: none behind ${JSON.stringify(head)}, and no answer either`,
    options: { serveOne: answering(`HTTP/1.1 ${head}\r\n${ok}`) },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(request("GET", "/first"));
      await until('"code":"upstream-ill-formed"');
      await (
        await upstream.next()
      ).ended;
    },
  })),
  {
    name: "reuse: none behind an unasked 101, and the half of an answer in the same packet",
    options: {
      serveOne: ({ until, write }) =>
        void until("\r\n\r\n").then(
          () => write(`HTTP/1.1 101 Switching Protocols\r\n\r\n${ok.slice(0, 20)}`),
          () => undefined,
        ),
    },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(request("GET", "/first"));
      await until('"status":502');
      await (
        await upstream.next()
      ).ended;
    },
  },
  {
    name: "reuse: none of a connection that has brought bytes while it was idle",
    options: { serveOne: (wire) => void answerFirst(wire).catch(() => undefined) },
    async play({ client, upstream }) {
      const first = client();
      first.write(request("GET", "/first"));
      await first.until("ok");
      const wire = await upstream.next();
      wire.write("HTTP/1.1 200 OK\r\nContent-Le");
      await wire.ended;
      const second = client();
      second.write(request("GET", "/second"));
      await second.until("ok");
      expect(upstream.count()).toBe(2);
    },
  },
  ...["NTLM TlRMTVNTUAAB", "Negotiate YII", "negotiate", "Basic YTpi, ntlm TlRMTVNTUAAD"].map((credential): Fault => ({
    name: `reuse: none behind ${JSON.stringify(credential)}, by which an upstream may know who is at a connection`,
    options: { serveOne: greetByConnection },
    async play({ client, upstream }) {
      const first = client();
      first.write(request("GET", "/first", `Authorization: ${credential}`));
      await first.until("it is known");
      const second = client();
      second.write(request("GET", "/second"));
      await second.until("it is ");
      expect(second.received()).toMatch(/it is nobody$/);
      expect(upstream.count()).toBe(2);
    },
  })),
  {
    name: "reuse: the same connection behind a credential that is sent with each request",
    options: {
      serveOne: (wire) => void answerFirst(wire).then(() => wire.until("/second").then(() => wire.write(ok))),
    },
    async play({ client, upstream }) {
      for (const path of ["/first", "/second"]) {
        const { write, until } = client();
        write(request("GET", path, "Authorization: Bearer negotiate.ntlm"));
        await until("ok");
      }
      expect(upstream.count()).toBe(1);
    },
  },
  ...["204 No Content\r\n", "401 No\r\nContent-Length: 0\r\n", "401 No\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"].map(
    (answer): Fault => ({
      name: `reuse: behind ${JSON.stringify(answer)} that a handler throws away`,
      options: { serveOne: answering(`HTTP/1.1 ${answer}\r\n`), gateway: { handlers: [throwAway] } },
      async play({ client, upstream }) {
        for (const path of ["/first", "/second", "/third"]) {
          const { write, until, ended } = client();
          write(request("GET", path, "Connection: close"));
          await until("mine");
          await ended;
        }
        expect(upstream.count()).toBe(1);
      },
    }),
  ),
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

/** Knows its client by what the first request on a connection has shown, as IIS does. */
function greetByConnection({ until, write, received }: Parameters<NonNullable<SceneOptions["serveOne"]>>[0]): void {
  void until("\r\n\r\n")
    .then(() => {
      const name = /^authorization:/im.test(received()) ? "known" : "nobody";
      const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${name.length + 6}\r\n\r\nit is ${name}`;
      write(answer);
      return until("/second").then(() => write(answer));
    })
    .catch(() => undefined);
}

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

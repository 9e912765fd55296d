import { expect } from "@jest/globals";
import { ok, request } from "../scene.ts";
import { answers, type Fault, short } from "./fault.ts";

/** What goes wrong before the head of the answer. */
export const headFaults: readonly Fault[] = [
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
      await first.until("\r\n\r\n");
      socket.destroy();
      await first.ended;
    },
  },
  {
    name: "head: answers come in the order of the requests",
    async play({ client, upstream }) {
      const { write, until, received } = client();
      write(request("GET", "/one") + request("GET", "/two"));
      const first = await upstream.next();
      await first.until("GET /one");
      first.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nfirst");
      const second = await upstream.next();
      await second.until("GET /two");
      second.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
      await until("second");
      expect(received().indexOf("first")).toBeLessThan(received().indexOf("second"));
    },
  },
];

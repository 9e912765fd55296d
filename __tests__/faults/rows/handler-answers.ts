import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate as later } from "node:timers/promises";
import { expect } from "@jest/globals";
import { request } from "../scene.ts";
import { handled, type Row } from "./row.ts";

/** What delegating handlers do to answers. */
export const handlerAnswerRows: readonly Row[] = [
  handled(
    "changes the answer's body to text",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = "changed";
      return answer;
    },
    ["content-length: 7", "changed"],
    { calls: 1 },
  ),
  handled(
    "changes the answer's body to a stream",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = Readable.from([Buffer.from("stream")]);
      return answer;
    },
    ["Transfer-Encoding: chunked", "stream"],
    { calls: 1 },
  ),
  handled(
    "changes the answer's body to nothing",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = null;
      return answer;
    },
    ["content-length: 0"],
    { calls: 1 },
  ),
  handled(
    "changes the answer's body to a stream that fails",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = new Readable({
        read() {
          this.push("half");
          this.destroy(new Error("source"));
        },
      });
      return answer;
    },
    "cut",
    { calls: 1 },
  ),
  handled(
    "changes the answer's body to a stream that has failed",
    async (_outgoing, next) => {
      const answer = await next();
      const body = new Readable({ read: () => undefined });
      body.on("error", () => undefined).destroy(new Error("source"));
      await later();
      answer.body = body;
      return answer;
    },
    "cut",
    { calls: 1 },
  ),
  handled(
    "reads the answer's body and gives it back empty",
    async (_outgoing, next) => {
      const answer = await next();
      await text(answer.body);
      return answer;
    },
    "cut",
    { calls: 1 },
  ),
  handled(
    "holds an answer while its upstream resets",
    async (_outgoing, next) => {
      const answer = await next();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return answer;
    },
    "cut",
    {
      calls: 1,
      options: {
        serveOne: ({ socket, until, write }) =>
          void until("\r\n\r\n").then(() => {
            write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
            setTimeout(() => socket.resetAndDestroy(), 20);
          }),
      },
    },
  ),
  handled(
    "pipes an answer whose upstream resets",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = answer.body.pipe(new PassThrough()).pipe(new PassThrough());
      return answer;
    },
    "cut",
    {
      calls: 1,
      more: (_scene, wire) => expect(wire.received()).toContain("abc"),
      options: {
        serveOne: ({ socket, until, write }) =>
          void until("\r\n\r\n").then(() => {
            write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
            setTimeout(() => socket.resetAndDestroy(), 50);
          }),
      },
    },
  ),
  handled(
    "holds an answer that is whole",
    async (_outgoing, next) => {
      const answer = await next();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return answer;
    },
    ["ok"],
    { calls: 1 },
  ),
  handled(
    "sets a status that is none",
    async (_outgoing, next) => {
      const answer = await next();
      answer.status = 42;
      return answer;
    },
    ["502", "upstream-ill-formed"],
    { calls: 1 },
  ),
  handled(
    "sets an answer's header with a line break",
    async (_outgoing, next) => {
      const answer = await next();
      answer.headers["x-a"] = "a\r\nb";
      return answer;
    },
    ["502", "upstream-ill-formed"],
    { calls: 1 },
  ),
  handled(
    "lets a chunked body grow over the limit while it is busy",
    async (_outgoing, next) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return next();
    },
    ["413", "body-too-large"],
    {
      send: `${request("POST", "/x", "Transfer-Encoding: chunked")}14\r\n${"a".repeat(20)}\r\n0\r\n\r\n`,
      options: { route: { Limits: { Body: 10 } } },
    },
  ),
];

import { setImmediate as later } from "node:timers/promises";
import { expect } from "@jest/globals";
import type { GatewayHandler } from "../../../src/index.ts";
import { request } from "../scene.ts";
import { answering, arrives, post, type Row } from "./row.ts";

function passed(name: string, middleware: readonly GatewayHandler[], gets: Row["gets"], more: Partial<Row> = {}): Row {
  return {
    name: `middleware ${name}`,
    gets,
    ...more,
    options: { serveOne: answering(), ...more.options, gateway: { middleware } },
  };
}

/** What middleware does. */
export const middlewareRows: readonly Row[] = [
  passed(
    "throws",
    [
      () => {
        throw new Error("no");
      },
    ],
    ["500"],
    { calls: 0 },
  ),
  passed("rejects", [() => Promise.reject(new Error("no"))], ["500"], { calls: 0 }),
  passed(
    "throws on a plain server",
    [
      () => {
        throw new Error("no");
      },
    ],
    ["500"],
    { calls: 0, options: { isPlain: true } },
  ),
  passed(
    "throws with a body that does not come",
    [
      () => {
        throw new Error("no");
      },
    ],
    ["500", "onnection: close"],
    { calls: 0, send: request("POST", "/x", "Content-Length: 5") },
  ),
  passed(
    "fails and answers all the same, while a body comes in",
    [
      (_req, res, next) => {
        next(new Error("no"));
        res.end("mine");
      },
    ],
    ["mine"],
    { calls: 0, send: post, options: { isPlain: true } },
  ),
  passed(
    "throws after it has gone on",
    [
      async (_req, _res, next) => {
        next();
        await later();
        throw new Error("no");
      },
    ],
    ["500"],
    { options: { serveOne: () => undefined } },
  ),
  passed(
    "throws after its answer has left",
    [
      async (_req, res) => {
        await new Promise((resolve) => res.on("close", resolve).end("mine"));
        await later();
        throw new Error("late");
      },
    ],
    ["mine"],
    {
      calls: 0,
      send: request("GET", "/x", "Connection: close"),
      more: async ({ logged }, { ended }) => {
        await ended;
        await later();
        await later();
        expect(logged).toEqual(["Error: late"]);
      },
    },
  ),
  passed(
    "throws after the head",
    [
      (_req, res) => {
        res.writeHead(200);
        res.write("half");
        throw new Error("no");
      },
    ],
    "cut",
    { calls: 0 },
  ),
  passed(
    "calls next() twice",
    [
      (_req, _res, next) => {
        next();
        next();
      },
    ],
    ["ok"],
    { calls: 1 },
  ),
  passed(
    "calls next() again, later",
    [
      async (_req, _res, next) => {
        next();
        await later();
        next();
      },
    ],
    ["ok"],
    { calls: 1 },
  ),
  passed('leaves by next("router")', [(_req, _res, next) => next("router")], ["404"], { calls: 0 }),
  passed('leaves by next("router") on a plain server', [(_req, _res, next) => next("router")], ["404", "no-route"], {
    calls: 0,
    options: { isPlain: true },
  }),
  passed(
    "fails by next(error)",
    [(_req, _res, next) => next(Object.assign(new Error("Locked"), { status: 423 }))],
    ["423", "Locked"],
    { calls: 0 },
  ),
  passed("answers by itself", [(_req, res) => void res.status(403).end("mine")], ["403", "mine"], { calls: 0 }),
  passed(
    "answers and goes on all the same",
    [
      (_req, res, next) => {
        res.end("mine");
        next();
      },
    ],
    ["mine"],
    {},
  ),
  passed(
    "sets a header in capitals",
    [
      (req, _res, next) => {
        req.headers["X-User"] = "alice";
        next();
      },
    ],
    ["ok"],
    { send: request("GET", "/x", "X-User: mallory"), calls: 1, more: arrives("x-user: alice") },
  ),
  passed(
    "sets framing headers",
    [
      (req, _res, next) => {
        Object.assign(req.headers, { "Content-Length": "1", "Transfer-Encoding": "chunked", Connection: "close" });
        next();
      },
    ],
    ["ok"],
    { send: post, calls: 1, more: arrives("content-length: 2", "\r\n\r\nab") },
  ),
  passed(
    "sets a header that cannot be sent",
    [
      (req, _res, next) => {
        req.headers["x-a"] = "a\nb";
        next();
      },
    ],
    ["500"],
    { calls: 0 },
  ),
  passed(
    "rewrites req.url, which changes nothing",
    [
      (req, _res, next) => {
        req.url = "/../evil";
        next();
      },
    ],
    ["ok"],
    { calls: 1, more: arrives("GET /x HTTP/1.1") },
  ),
  passed(
    "changes a placeholder to a dot segment",
    [
      (_req, res, next) => {
        res.locals.placeholders.everything = "../evil";
        next();
      },
    ],
    ["400"],
    { calls: 0 },
  ),
  passed(
    "changes a placeholder to something with a slash",
    [
      (_req, res, next) => {
        res.locals.placeholders.everything = "a/b?c#d";
        next();
      },
    ],
    ["ok"],
    { calls: 1, more: arrives("GET /a%2Fb%3Fc%23d HTTP/1.1") },
  ),
  passed(
    "changes a placeholder to something with a line break",
    [
      (_req, res, next) => {
        res.locals.placeholders.everything = "a\r\nb";
        next();
      },
    ],
    ["400"],
    { calls: 0 },
  ),
  passed(
    "destroys the response",
    [
      (_req, res) => {
        res.destroy();
      },
    ],
    "cut",
    { calls: 0 },
  ),
  passed(
    "takes long, and the client has left meanwhile",
    [
      (_req, _res, next) => {
        setTimeout(next, 100);
      },
    ],
    "cut",
    { calls: 0, leaves: true },
  ),
];

import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import express, { type Request, type RequestHandler } from "express";
import multer from "multer";
import { engines } from "../helpers/engines.ts";
import { places, sendThrough } from "./forwarded-request.ts";

const json = '{"b": 1.0,\n "a": "\u00e9"}';
const form = "b=2&a=1&list=x&list=y&o%5Bk%5D=v&e=&p=a+b%26c";
const manyOfOneName = Array.from({ length: 5_000 }, (_, value) => `${"long".repeat(100)}=${value}`).join("&");
const binary = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const multipart = ["--b", 'Content-Disposition: form-data; name="a"', "", "1", "--b--", ""].join("\r\n");

/** Keeps the bytes, as the parsers' own option `verify` allows. */
const keepRaw = (req: object, _res: object, bytes: Buffer) => void Object.assign(req, { rawBody: bytes });

type Row = Readonly<{
  name: string;
  handlers: readonly RequestHandler[];
  type: string;
  sent: string | Buffer;
  arrives: string | Buffer;
  headers?: Record<string, string>;
  /** Headers that must not arrive, for they would describe other bytes. */
  lacks?: readonly string[];
}>;

const rows: readonly Row[] = [
  {
    name: "express.json()",
    handlers: [express.json()],
    type: "application/json",
    sent: json,
    arrives: '{"b":1,"a":"\u00e9"}',
  },
  {
    name: "express.json(), a suffix",
    handlers: [express.json({ type: "*/*" })],
    type: "application/vnd.api+json",
    sent: json,
    arrives: '{"b":1,"a":"\u00e9"}',
  },
  ...["text/json", "model/vnd.gltf+json", "application/csp-report"].map((type) => ({
    name: `express.json(), ${type}`,
    handlers: [express.json({ type: "*/*" })],
    type,
    sent: json,
    arrives: '{"b":1,"a":"\u00e9"}',
  })),
  {
    name: "express.json(), an empty object",
    handlers: [express.json()],
    type: "application/json",
    sent: "{ }",
    arrives: "{}",
  },
  {
    name: "express.json(), null among others, and names of prototypes",
    handlers: [express.json()],
    type: "application/json",
    sent: '{"a": null, "b": [null, "1e400"], "__proto__": {"c": null}, "constructor": 1.7e308}',
    arrives: '{"a":null,"b":[null,"1e400"],"__proto__":{"c":null},"constructor":1.7e+308}',
  },
  {
    name: "express.json({ strict: false }), null",
    handlers: [express.json({ strict: false })],
    type: "application/json",
    sent: " null",
    arrives: "null",
  },
  {
    name: "express.json({ strict: false }), a text",
    handlers: [express.json({ strict: false })],
    type: "application/json",
    sent: '"a"',
    arrives: '"a"',
  },
  {
    name: "express.json(), another charset",
    handlers: [express.json()],
    type: "application/json; charset=utf-16le",
    sent: Buffer.from('{"a":"\u00e9"}', "utf16le"),
    arrives: '{"a":"\u00e9"}',
  },
  {
    name: "express.json(), compressed",
    handlers: [express.json()],
    type: "application/json",
    sent: gzipSync(json),
    headers: { "content-encoding": "gzip", "content-md5": "x", digest: "x" },
    arrives: '{"b":1,"a":"\u00e9"}',
    lacks: ["content-encoding", "content-md5", "digest"],
  },
  {
    name: "express.json(), of a body that is none of its business",
    handlers: [express.json()],
    type: "text/plain",
    sent: "text",
    arrives: "text",
  },
  {
    name: "express.json() that keeps the bytes",
    handlers: [express.json({ verify: keepRaw })],
    type: "application/json",
    sent: json,
    arrives: json,
  },
  {
    name: "express.json() that keeps the bytes, compressed",
    handlers: [express.json({ verify: keepRaw })],
    type: "application/json",
    sent: gzipSync(json),
    headers: { "content-encoding": "gzip" },
    arrives: json,
    lacks: ["content-encoding"],
  },
  {
    name: "express.json(), then a change of the body",
    handlers: [
      express.json(),
      (req: Request, _res, next) => {
        req.body = { changed: true };
        next();
      },
    ],
    type: "application/json",
    sent: json,
    arrives: '{"changed":true}',
  },
  {
    name: "express.urlencoded()",
    handlers: [express.urlencoded()],
    type: "application/x-www-form-urlencoded",
    sent: "b=2&a=1&p=a+b%26c&list=x&list=y",
    arrives: "b=2&a=1&p=a+b%26c&list=x&list=y",
  },
  {
    name: "express.urlencoded({ extended: true })",
    handlers: [express.urlencoded({ extended: true })],
    type: "application/x-www-form-urlencoded",
    sent: form,
    arrives: "b=2&a=1&list=x&list=y&o%5Bk%5D=v&e=&p=a+b%26c",
  },
  {
    name: "express.urlencoded(), of letters that are written as nine",
    handlers: [express.urlencoded({ limit: "1mb" })],
    type: "application/x-www-form-urlencoded",
    sent: `a=${"\u65e5".repeat(200_000)}`,
    arrives: `a=${"%E6%97%A5".repeat(200_000)}`,
  },
  {
    name: "express.urlencoded(), of one name with many values",
    handlers: [express.urlencoded({ limit: "9mb", parameterLimit: 5_000 })],
    type: "application/x-www-form-urlencoded",
    sent: manyOfOneName,
    arrives: manyOfOneName,
  },
  {
    name: "express.raw()",
    handlers: [express.raw({ type: "*/*" })],
    type: "application/octet-stream",
    sent: binary,
    arrives: binary,
  },
  {
    name: "express.raw(), compressed",
    handlers: [express.raw({ type: "*/*" })],
    type: "application/octet-stream",
    sent: gzipSync(binary),
    headers: { "content-encoding": "gzip" },
    arrives: binary,
    lacks: ["content-encoding"],
  },
  {
    name: "express.text()",
    handlers: [express.text()],
    type: "text/plain; charset=utf-8",
    sent: "t\u00e9xt",
    arrives: "t\u00e9xt",
  },
  {
    name: "express.text(), another charset",
    handlers: [express.text()],
    type: "text/plain; charset=latin1",
    sent: Buffer.from("t\u00e9xt", "latin1"),
    arrives: "t\u00e9xt",
  },
  {
    name: "all of them, one after the other",
    handlers: [express.json(), express.urlencoded({ extended: true }), express.raw(), express.text()],
    type: "application/json",
    sent: json,
    arrives: '{"b":1,"a":"\u00e9"}',
  },
  {
    name: "a parser that is there twice",
    handlers: [express.json(), express.json()],
    type: "application/json",
    sent: json,
    arrives: '{"b":1,"a":"\u00e9"}',
  },
  {
    name: "a middleware that invents a body without having read one",
    handlers: [
      (req: Request, _res, next) => {
        req.body = { invented: true };
        next();
      },
    ],
    type: "application/json",
    sent: json,
    arrives: json,
  },
  {
    name: "multer, of a body that is none of its business",
    handlers: [multer().none()],
    type: "application/json",
    sent: json,
    arrives: json,
  },
];

describe.each(engines)("a body that was read before arrives all the same: $name", ({ create }) => {
  describe.each(places)("%s", (place) => {
    test.each(rows)("$name", async ({ handlers, type, sent, arrives, headers, lacks = [] }) => {
      const length = { "content-length": Buffer.byteLength(sent) };
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers,
        send: { method: "POST", body: sent, headers: { "content-type": type, ...headers, ...length } },
      });
      expect(answer.status).toBe(200);
      // As texts: the bytes of long ones would be compared one by one.
      expect(arrived!.body.toString("latin1")).toBe(Buffer.from(arrives).toString("latin1"));
      expect(arrived!.headers["content-length"]).toBe(String(Buffer.byteLength(arrives)));
      expect(arrived!.headers).not.toHaveProperty("transfer-encoding");
      for (const name of lacks) expect(arrived!.headers).not.toHaveProperty(name);
    });

    test("express.json(), of a body in chunks", async () => {
      const { arrived } = await sendThrough({
        engine: create(),
        place,
        handlers: [express.json()],
        send: {
          method: "POST",
          body: json,
          headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
        },
      });
      expect(arrived!.body.toString()).toBe('{"b":1,"a":"\u00e9"}');
      expect(arrived!.headers).not.toHaveProperty("transfer-encoding");
    });

    const changes = (req: Request, _res: unknown, next: () => void): void => {
      req.body = { changed: true };
      next();
    };

    test.each([
      ["express.json()", [express.json()], "application/json", ""],
      ["express.json(), twice", [express.json(), express.json()], "application/json", ""],
      ["express.json(), then a change of the body", [express.json(), changes], "application/json", '{"changed":true}'],
      ["express.urlencoded()", [express.urlencoded()], "application/x-www-form-urlencoded", ""],
      ["express.text()", [express.text()], "text/plain", ""],
      [
        "somebody who reads and keeps nothing",
        [(req: Request, _res: unknown, next: () => void) => void req.resume().on("end", next)],
        "a/b",
        "",
      ],
    ] as const)("%s, of an empty body in chunks", async (_name, handlers, type, arrives) => {
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: handlers as readonly RequestHandler[],
        send: { method: "POST", headers: { "content-type": type, "transfer-encoding": "chunked" } },
      });
      expect(answer.status).toBe(200);
      expect(arrived!.body.toString()).toBe(arrives);
      expect(arrived!.headers["content-length"]).toBe(String(arrives.length));
    });

    test.each([
      ["a number", '{"a":[null,{"b":1e400}]}'],
      ["a negative one", '[-2e308,"null"]'],
      ["one in a form, as it says", '{"a":1e400}', "application/x-www-form-urlencoded"],
    ])("%s that is too large to be written again is refused", async (_what, sent, type = "application/json") => {
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: [express.json({ type: "*/*" })],
        send: { method: "POST", body: sent, headers: { "content-type": type, "content-length": sent.length } },
      });
      expect([answer.status, arrived]).toEqual([400, undefined]);
      expect(JSON.parse(answer.body.toString())).toMatchObject({ code: "body-number-too-large" });
    });

    test("an object that writes itself is written so, whatever else it holds", async () => {
      class Document {
        readonly owner = this;
        readonly limit = Infinity;
        toJSON(): object {
          return { a: null };
        }
      }
      const putDocument: RequestHandler = (req, _res, next) => {
        req.body = new Document();
        next();
      };
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: [express.json(), putDocument],
        send: { method: "POST", body: "{}", headers: { "content-type": "application/json", "content-length": "2" } },
      });
      expect([answer.status, arrived?.body.toString()]).toEqual([200, '{"a":null}']);
    });

    test("express.json(), of a GET without a body", async () => {
      const { arrived, answer } = await sendThrough({ engine: create(), place, handlers: [express.json()], send: {} });
      expect(answer.status).toBe(200);
      expect(arrived!.body).toHaveLength(0);
    });

    test.each([
      ["multer", [multer().any()], "multipart/form-data; boundary=b"],
      [
        "somebody who reads and keeps nothing",
        [(req: Request, _res: unknown, next: () => void) => void req.resume().on("end", next)],
        "a/b",
      ],
    ] as const)("%s: fails at once and says why", async (_name, handlers, type) => {
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: handlers,
        send: {
          method: "POST",
          body: multipart,
          headers: { "content-type": type, "content-length": multipart.length },
        },
      });
      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.body.toString())).toMatchObject({ code: "body-consumed" });
      expect(arrived).toBeUndefined();
    });

    test("an object under a type that nobody can write: fails at once and says what is so", async () => {
      const { arrived, answer, error } = await sendThrough({
        engine: create(),
        place,
        handlers: [express.json({ type: "text/plain" })],
        send: { method: "POST", body: '{"a":1}', headers: { "content-type": "text/plain", "content-length": 7 } },
      });
      expect([answer.status, arrived]).toEqual([500, undefined]);
      expect(error).toMatchObject({ code: "body-consumed" });
      expect(String(error)).toMatch(/\(text\/plain\) was read .* in req\.body .* neither JSON nor a form/);
    });

    test.each([
      ["lists", "application/json", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
      ["objects", "application/json", `${'{"a":'.repeat(15_000)}1${"}".repeat(15_000)}`],
      ["fields", "application/x-www-form-urlencoded", `a${"[b]".repeat(15_000)}=1`],
    ])("%s that are nested too deeply to be written again are the client's affair", async (_what, type, sent) => {
      const deep = { extended: true, depth: Number.POSITIVE_INFINITY };
      const parsers = [express.json(), express.urlencoded(deep)];
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: parsers,
        send: { method: "POST", body: sent, headers: { "content-type": type, "content-length": sent.length } },
      });
      expect([answer.status, arrived]).toEqual([400, undefined]);
      expect(JSON.parse(answer.body.toString())).toMatchObject({ code: "body-too-deep" });
    });

    test.each([
      ["a list", { ["k".repeat(20_000)]: Array(2_000).fill(1) }],
      ["an object", { ["k".repeat(20_000)]: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [at, 1])) }],
    ])("JSON that would be thousands of times as long as a form: %s with a long name", async (_what, body) => {
      const sent = JSON.stringify(body);
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: [express.json({ type: "*/*" })],
        send: {
          method: "POST",
          body: sent,
          headers: { "content-type": "application/x-www-form-urlencoded", "content-length": sent.length },
        },
      });
      expect([answer.status, arrived === undefined]).toEqual([400, true]);
      expect(JSON.parse(answer.body.toString())).toMatchObject({ code: "body-too-deep" });
    });

    test.each([
      ["within", 9, 200],
      ["beyond", 8, 413],
    ])("a body in chunks that is %s the limit of its route", async (_where, limit, status) => {
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: [express.text({ type: "*/*" })],
        route: { Limits: { Body: limit } },
        send: { method: "POST", body: "123456789", headers: { "transfer-encoding": "chunked", "content-type": "a/b" } },
      });
      expect([answer.status, arrived?.body.toString()]).toEqual([status, status === 200 ? "123456789" : undefined]);
    });

    const numbers = `[${Array(200).fill("1e20").join()}]`;
    const writtenNumbers = JSON.stringify(JSON.parse(numbers)).length;

    test.each([
      [
        "decompressed, within",
        gzipSync(JSON.stringify({ a: "x".repeat(992) })),
        { "content-encoding": "gzip" },
        1_000,
        200,
      ],
      [
        "decompressed, beyond",
        gzipSync(JSON.stringify({ a: "x".repeat(993) })),
        { "content-encoding": "gzip" },
        1_000,
        413,
      ],
      ["written again with more digits, within", numbers, {}, writtenNumbers, 200],
      ["written again with more digits, beyond", numbers, {}, writtenNumbers - 1, 413],
    ] as const)(
      "a body of told length that is %s the limit of its route",
      async (_how, sent, headers, limit, status) => {
        const { arrived, answer } = await sendThrough({
          engine: create(),
          place,
          handlers: [express.json()],
          route: { Limits: { Body: limit } },
          send: {
            method: "POST",
            body: sent,
            headers: { "content-type": "application/json", "content-length": sent.length, ...headers },
          },
        });
        expect([answer.status, arrived === undefined]).toEqual([status, status === 413]);
      },
    );

    test.each([
      ["ill-formed", "{", 400],
      ["too large", JSON.stringify("x".repeat(200_000)), 413],
    ])("express.json(), %s: its own answer", async (_name, sent, status) => {
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: [express.json()],
        send: {
          method: "POST",
          body: sent,
          headers: { "content-type": "application/json", "content-length": sent.length },
        },
      });
      expect([answer.status, arrived]).toEqual([status, undefined]);
    });
  });
});

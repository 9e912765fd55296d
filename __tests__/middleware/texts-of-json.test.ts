import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import { engines } from "../helpers/engines.ts";
import { places, sendThrough } from "./forwarded-request.ts";

const anyJson = express.json({ strict: false });
const anyText = express.text({ type: "*/*" });
const object = '{"role":"admin"}';
const mark = "\ufeff";

type Sent = Readonly<{ handler: RequestHandler; body: string | Buffer; headers?: Record<string, string> }>;

describe.each(engines)("JSON of which middleware has made a text ($name)", ({ create }) => {
  describe.each(places)("%s", (place) => {
    async function send({ handler, body, headers }: Sent) {
      const framing = headers ?? { "content-length": String(Buffer.byteLength(body)) };
      const sent = { method: "POST", body, headers: { "content-type": "application/json", ...framing } };
      const { arrived, answer } = await sendThrough({ engine: create(), place, handlers: [handler], send: sent });
      return arrived?.body.toString() ?? (JSON.parse(answer.body.toString()) as { code: string }).code;
    }

    test("a value that is one text stays one", async () => {
      for (const body of [JSON.stringify(object), '""', '"5"', '"\u00e9\\n"'])
        expect(await send({ handler: anyJson, body })).toBe(body);
    });

    test("a text of JSON stays the JSON", async () => {
      for (const body of [object, ' { "a": "\u00e9" }\n', '"a"', "no JSON"])
        expect(await send({ handler: anyText, body })).toBe(body);
    });

    test("a text of JSON behind a byte order mark stays the JSON", async () => {
      for (const json of [object, '["a"]', '{ "a": "\u00e9" }\n'])
        expect(await send({ handler: anyText, body: `${mark}${json}` })).toBe(json);
    });

    test("an empty body in chunks stays empty", async () => {
      expect(await send({ handler: anyText, body: "", headers: { "transfer-encoding": "chunked" } })).toBe("");
    });

    const chunked = { "transfer-encoding": "chunked" };
    const value = JSON.stringify(object);
    // Each byte that is no UTF-8 becomes three: the value is as long as the JSON that it came in.
    const spoiled = Buffer.from('"{\\"role\\":\\"admin\u00ff\u00ff\u00ff\\"}"', "latin1");

    // A sign of four bytes of which the last is missing becomes three others.
    const spoiledBehindMark = Buffer.from('\u00ef\u00bb\u00bf["a","\u00f0\u009f\u0098"]', "latin1");

    test.each([
      ["in chunks", { handler: anyJson, body: value, headers: chunked }],
      ["in chunks, a text", { handler: anyText, body: object, headers: chunked }],
      ["compressed", { handler: anyJson, body: gzipSync(value), headers: { ...chunked, "content-encoding": "gzip" } }],
      ["escaped in another way", { handler: anyJson, body: '"\\u0061"' }],
      ["of bytes that are no UTF-8", { handler: anyJson, body: spoiled }],
      ["a text behind a mark, as long as a value", { handler: anyText, body: `${mark}[1]\n` }],
      ["a value that is as long as a text behind a mark", { handler: anyJson, body: '"[1]\\n"' }],
      ["a value with a space, as long as a text behind a mark", { handler: anyJson, body: '"[1]" ' }],
      ["a text behind a mark, of bytes that are no UTF-8", { handler: anyText, body: spoiledBehindMark }],
    ])("%s, it is refused, as nobody can tell what it was", async (_how, sent) => {
      expect(await send(sent)).toBe("body-consumed");
    });
  });
});

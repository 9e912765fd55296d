import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import { engines } from "../helpers/engines.ts";
import { places, sendThrough } from "./forwarded-request.ts";

const anyText = express.text({ type: "*/*" });

type Sent = Readonly<{ handler: RequestHandler; body: string | Buffer; headers?: Record<string, string> }>;

const chunked = { "transfer-encoding": "chunked" };
const replaced = "a\ufffdb";
const truncated = Buffer.from("caf\u00e9", "latin1");

describe.each(engines)("texts that a parser has made of what is no JSON ($name)", ({ create }) => {
  describe.each(places)("%s", (place) => {
    async function send({ handler, body, headers }: Sent) {
      const framing = headers?.["transfer-encoding"] ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const sent = { method: "POST", body, headers: { "content-type": "text/plain", ...framing, ...headers } };
      const { arrived, answer } = await sendThrough({ engine: create(), place, handlers: [handler], send: sent });
      return arrived?.body.toString() ?? (JSON.parse(answer.body.toString()) as { code: string }).code;
    }

    test.each([
      ["a text that holds the sign for spoiled bytes itself", { handler: anyText, body: replaced }],
      ["a text in chunks", { handler: anyText, body: "caf\u00e9", headers: chunked }],
    ])("%s arrives", async (_what, sent) => {
      expect(await send(sent)).toBe(sent.body);
    });

    test.each([
      ["an object", JSON.stringify('{"role":"admin"}')],
      ["a list", JSON.stringify('["a"]')],
      ["words", '"\u00e9 \\"a\\" \\n"'],
    ])("JSON that is one text, of %s, keeps its quotes under another type", async (_what, body) => {
      expect(await send({ handler: express.json({ strict: false, type: "*/*" }), body })).toBe(body);
    });

    test.each([
      ["trimmed of the end of its line", "yes\r\n", "yes"],
      ["trimmed of as much as quotes and an escaped sign take", "a\tb\r\n ", "a\tb"],
      ["behind a byte order mark, as long as JSON of it", "\ufeffone line\n", "one line\n"],
    ])("a text %s gets no quotes", async (_how, body, arrives) => {
      const trimmed = express.Router().use(anyText, (req, _res, next) => {
        req.body = arrives;
        next();
      });
      expect(await send({ handler: trimmed, body })).toBe(arrives);
    });

    test.each([
      ["an image", { body: Buffer.from("\u0089PNG\u00ff\u00fe", "latin1"), headers: { "content-type": "image/png" } }],
      ["a text in another charset than it says", { body: truncated }],
      ["such a text in chunks", { body: truncated, headers: chunked }],
      ["such a text, compressed", { body: gzipSync(truncated), headers: { "content-encoding": "gzip" } }],
      ["the sign for spoiled bytes in chunks, as nobody can tell", { body: replaced, headers: chunked }],
    ])("%s is refused, as the parser has lost its bytes", async (_what, sent) => {
      expect(await send({ handler: anyText, ...sent })).toBe("body-consumed");
    });
  });
});

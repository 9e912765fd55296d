import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  type DelegatingHandler,
  createAnswer,
  metadataResponder,
  type MetadataResponderOptions,
} from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type OneRoute, startOneRoute } from "./one-route.ts";

let running: OneRoute | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

type Sent = Readonly<{
  type?: string;
  headers?: Readonly<Record<string, string | string[]>>;
  body: Buffer | string | readonly Buffer[];
}>;
type Seen = Readonly<{ body: Buffer; headers: Record<string, unknown> }>;

/** Asks for what the upstream sends piece by piece, each in a packet of its own. */
async function ask(
  { type = "application/json", headers = {}, body }: Sent,
  options?: MetadataResponderOptions,
): Promise<Seen> {
  const pieces = [body].flat().map((piece) => Buffer.from(piece));
  running = await startOneRoute(
    (_req, res) => {
      res.writeHead(200, { "content-type": type, ...headers });
      res.flushHeaders();
      void sendInPieces(pieces, res);
    },
    { responder: metadataResponder(options) },
  );
  return request({ port: running.port, path: "/" });
}

async function sendInPieces(pieces: readonly Buffer[], res: ServerResponse): Promise<void> {
  for (const piece of pieces) {
    await new Promise((resolve) => res.write(piece, resolve));
    await new Promise(setImmediate);
  }
  res.end();
}

function wrapped(text: string): string {
  return `{"Response": ${text}, "Metadata": {"a":"b"}}`;
}

function bytesOf(text: string, encoding: BufferEncoding = "utf8"): Buffer[] {
  return Array.from(Buffer.from(text, encoding), (byte) => Buffer.of(byte));
}

const mark = "\ufeff";

describe("which bodies of application/json are wrapped", () => {
  test.each([
    { title: "an object", body: '{"a":1}', expected: wrapped('{"a":1}') },
    { title: "an array", body: "[]", expected: wrapped("[]") },
    { title: "a text", body: '"x"', expected: wrapped('"x"') },
    { title: "a number", body: "-1.50e+999", expected: wrapped("-1.50e+999") },
    { title: "a number that begins with 9", body: "9", expected: wrapped("9") },
    { title: "true", body: "true", expected: wrapped("true") },
    { title: "false", body: "false", expected: wrapped("false") },
    { title: "null", body: "null", expected: wrapped("null") },
    { title: "white space around", body: " \t\r\n{} \n", expected: wrapped(" \t\r\n{} \n") },
    { title: "bytes one by one", body: bytesOf(' {"é":1}'), expected: wrapped(' {"é":1}') },
    { title: "a byte order mark, which goes", body: `${mark}{}`, expected: wrapped("{}") },
    { title: "a byte order mark byte by byte", body: bytesOf(`${mark} {}`), expected: wrapped(" {}") },
    {
      title: "bytes that are no UTF-8, which stay",
      body: Buffer.from('"\xff"', "latin1"),
      expected: Buffer.from(wrapped('"\xff"'), "latin1"),
    },
    { title: "nothing: not wrapped", body: "", expected: "" },
    { title: "white space alone: not wrapped", body: bytesOf(" \n"), expected: " \n" },
    { title: "white space without an end: not wrapped", body: " ".repeat(65_537), expected: " ".repeat(65_537) },
    { title: "a mark alone: not wrapped", body: mark, expected: mark },
    { title: "half a mark: not wrapped", body: Buffer.from([0xef, 0xbb]), expected: Buffer.from([0xef, 0xbb]) },
    { title: "HTML: not wrapped", body: "<html>", expected: "<html>" },
    { title: "HTML behind a mark: nothing changes", body: `${mark} <html>`, expected: `${mark} <html>` },
    { title: "a + cannot begin a number", body: "+1", expected: "+1" },
  ])("$title", async ({ body, expected }) => {
    const seen = await ask({ body });
    expect(seen.body).toEqual(Buffer.from(expected));
  });

  test.each([
    { type: "application/json ", wraps: true },
    { type: "APPLICATION/JSON;", wraps: true },
    { type: "application/json-seq", wraps: false },
    { type: "text/json", wraps: false },
    { type: "application/json, application/json", wraps: false },
  ])("the media type $type: $wraps", async ({ type, wraps }) => {
    const seen = await ask({ type, body: "{}" });
    expect(seen.body.toString()).toBe(wraps ? wrapped("{}") : "{}");
  });

  test.each(["true", "YES", " on ", "1", "enabled", "ok"])(
    "disableMetadataJson %s leaves JSON alone",
    async (value) => {
      running = await startOneRoute(
        (_req, res) => res.setHeader("content-type", "application/json").end("{}"),
        { responder: metadataResponder() },
        { disableMetadataJson: value },
      );
      expect((await request({ port: running.port, path: "/" })).body.toString()).toBe("{}");
    },
  );

  test.each(["false", "0", "2", "", "no", null])("disableMetadataJson %s does not", async (value) => {
    const metadata = { disableMetadataJson: value };
    running = await startOneRoute(
      (_req, res) => res.setHeader("content-type", "application/json").end("{}"),
      { responder: metadataResponder() },
      metadata,
    );
    expect(JSON.parse((await request({ port: running.port, path: "/" })).body.toString())).toEqual({
      Response: {},
      Metadata: metadata,
    });
  });

  test("select decides what stands in the body as well", async () => {
    const seen = await ask({ body: "{}" }, { select: () => false });
    expect(seen.body.toString()).toBe('{"Response": {}, "Metadata": {}}');
  });

  test("an answer that a handler gives is wrapped as the upstream's", async () => {
    const answer: DelegatingHandler = () =>
      Promise.resolve(createAnswer({ status: 418, headers: { "Content-Type": "application/json" }, body: "[1]" }));
    running = await startOneRoute((_req, res) => res.end(), { handlers: [answer], responder: metadataResponder() });
    const { status, body } = await request({ port: running.port, path: "/" });
    expect([status, body.toString()]).toEqual([418, wrapped("[1]")]);
  });
});

describe("charsets of JSON", () => {
  const text = '{"ä":"€"}';
  test.each([
    { title: "utf-8", charset: "utf-8", body: Buffer.from(text), type: "application/json; charset=utf-8" },
    { title: "quoted", charset: '"UTF8"', body: Buffer.from(text), type: 'application/json; charset="UTF8"' },
    {
      title: "utf-16le",
      charset: "utf-16le",
      body: Buffer.from(text, "utf16le"),
      type: "application/json; charset=utf-8",
    },
    {
      title: "utf-16 with a mark",
      charset: "UTF-16",
      body: Buffer.from(mark + text, "utf16le"),
      type: "application/json; charset=utf-8",
    },
    {
      title: "utf-16be byte by byte",
      charset: "utf-16be",
      body: bytesOf(Buffer.from(text, "utf16le").swap16().toString("latin1"), "latin1"),
      type: "application/json; charset=utf-8",
    },
    {
      title: "windows-1252",
      charset: "windows-1252",
      body: Buffer.from([...Buffer.from('{"'), 0xe4, ...Buffer.from('":"'), 0x80, ...Buffer.from('"}')]),
      type: "application/json; charset=utf-8",
    },
  ])("$title is wrapped as utf-8", async ({ charset, body, type }) => {
    const seen = await ask({ type: `application/json; charset=${charset}`, body });
    expect([seen.body.toString(), seen.headers["content-type"]]).toEqual([wrapped(text), type]);
  });

  test.each(["utf-32", "x-unheard", ""])("charset=%s is unknown: not wrapped", async (charset) => {
    const type = `application/json; charset=${charset}`;
    const seen = await ask({ type, body: "{}" });
    expect([seen.body.toString(), seen.headers["content-type"]]).toEqual(["{}", type]);
  });
});

describe("headers that speak of the old bytes", () => {
  test.each([
    { title: "a strong ETag becomes weak", headers: { etag: '"x"' }, expected: { etag: 'W/"x"' } },
    { title: "a weak one stays", headers: { etag: 'W/"x"' }, expected: { etag: 'W/"x"' } },
  ])("$title", async ({ headers, expected }) => {
    const seen = await ask({ headers, body: "{}" });
    expect(seen.headers).toMatchObject(expected);
    expect(seen.body.toString()).toBe(wrapped("{}"));
  });

  test("they stay where the body does not begin as JSON", async () => {
    const headers = { etag: '"x"', "content-length": "6", "accept-ranges": "bytes" };
    const seen = await ask({ headers, body: "<html>" });
    expect(seen.headers).toMatchObject(headers);
  });
});

describe('decompress: "wrapped"', () => {
  test.each([
    {
      title: "JSON is decompressed and wrapped",
      type: "application/json",
      expected: Buffer.from(wrapped("{}")),
      coding: "identity",
    },
    { title: "anything else keeps its coding", type: "text/html", expected: gzipSync("{}"), coding: "gzip" },
    {
      title: "so does JSON in an unknown charset",
      type: "application/json; charset=utf-32",
      expected: gzipSync("{}"),
      coding: "gzip",
    },
  ])("$title", async ({ type, expected, coding }) => {
    const seen = await ask(
      { type, headers: { "content-encoding": "gzip" }, body: gzipSync("{}") },
      { decompress: "wrapped" },
    );
    expect([seen.body, seen.headers["content-encoding"]]).toEqual([expected, coding]);
  });
});

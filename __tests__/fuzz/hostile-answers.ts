import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { arbitraryAnswerBytes } from "./arbitrary-bytes.ts";
import { arbitraryValue, textOf } from "./client-values.ts";
import type { Script } from "./script.ts";

const latin1 = (bytes: Buffer): string => bytes.toString("latin1");
const bomb = Buffer.alloc(2_000_000, "[");

/** Bodies with the headers that speak of them. */
const bodies: readonly Readonly<{ headers: readonly string[]; body: string }>[] = [
  { headers: [], body: "" },
  { headers: ["Content-Type: application/json"], body: '{"case":"NUMBER"}' },
  { headers: ["Content-Type: application/json"], body: `${" ".repeat(500)}{"case":"NUMBER"}` },
  { headers: ["Content-Type: application/json"], body: "\u00ef\u00bb\u00bf[1" },
  { headers: ["Content-Type: application/json; charset=utf-16le"], body: "[\0\u0031\0]" },
  { headers: ["Content-Type: text/event-stream"], body: 'data: {"case":"NUMBER"}\n\n' },
  { headers: ["Content-Encoding: gzip", "Content-Type: application/json"], body: latin1(gzipSync('{"a":1}')) },
  { headers: ["Content-Encoding: br"], body: latin1(brotliCompressSync('{"a":1}')) },
  { headers: ["Content-Encoding: zstd", "Content-Type: application/json"], body: latin1(zstdCompressSync('{"a":1}')) },
  { headers: ["Content-Encoding: gzip"], body: "not at all" },
  { headers: ["Content-Encoding: gzip"], body: latin1(gzipSync('{"a":1}')).slice(0, 12) },
  { headers: ["Content-Encoding: gzip, br"], body: latin1(gzipSync('{"a":1}')) },
  { headers: ["Content-Encoding: gzip", "Content-Type: application/json"], body: latin1(gzipSync(bomb)) },
];

const chunk = (text: string): string => (text === "" ? "" : `${text.length.toString(16)}\r\n${text}\r\n`);

/** Ways to say where a body ends, right ones and others. */
const framings: readonly ((body: string) => string)[] = [
  (body) => `Content-Length: ${body.length}\r\n\r\n${body}`,
  (body) => `Transfer-Encoding: chunked\r\n\r\n${chunk(body)}0\r\n\r\n`,
  (body) => `Transfer-Encoding: chunked\r\n\r\n${chunk(body)}0\r\nX-T: 1\r\nContent-Length: 5\r\n\r\n`,
  (body) => `Transfer-Encoding: chunked\r\n\r\n${chunk(body)}`,
  (body) => `Content-Length: ${body.length + 20}\r\n\r\n${body}`,
  (body) => `Content-Length: 1\r\n\r\n${body}`,
  (body) => `Connection: close\r\n\r\n${body}`,
  (body) => `\r\n${body}`,
  (body) => `Transfer-Encoding: gzip, chunked\r\n\r\n${chunk(body)}0\r\n\r\n`,
  (body) => `Transfer-Encoding: gzip\r\n\r\n${body}`,
  (body) => `Transfer-Encoding: xchunked\r\n\r\n${body}`,
  (body) => `Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(body)}0\r\n\r\n`,
];

const heads = [
  ...["200 OK", "201 Created", "204 No Content", "205 Reset", "206 Partial", "301 Moved", "304 Not Modified"],
  ...["401 No", "404 Not Found", "417 No", "421 No", "500 Broken", "502 Bad Gateway", "599 X", "600 X", "199 X"],
  ...["100 Continue", "101 Switching", "102 Wait", "103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK"],
];

const headerNames = [
  ...["ETag", "Location", "Vary", "Content-Type", "Content-Encoding", "Set-Cookie", "Trailer", "Connection"],
  ...["X-ServiceFabric", "X-Request-Id", "Server", "Cache-Control", "GW-Route-Metadata", "Keep-Alive"],
];

const arbitraryHeader = fc
  .tuple(fc.constantFrom(...headerNames), arbitraryValue)
  .map(([name, value]) => `${name}: ${textOf(value)}`);

const arbitraryAnswer = fc
  .tuple(
    fc.constantFrom(...heads),
    fc.constantFrom(...bodies),
    fc.constantFrom(...framings),
    fc.array(arbitraryHeader, { maxLength: 1 }),
  )
  .map(([head, { headers, body }, frame, more]) => [`HTTP/1.1 ${head}`, ...headers, ...more, frame(body)].join("\r\n"));

const shortestForBytes = 600;

/** What an upstream may do to a gateway. */
export const arbitraryScript: fc.Arbitrary<Script> = fc
  .record({
    bytes: fc.oneof({ weight: 4, arbitrary: arbitraryAnswer }, { weight: 1, arbitrary: arbitraryAnswerBytes }),
    pace: fc.constantFrom<Script["pace"]>("at once", "in two parts", "byte by byte"),
    then: fc.constantFrom<Script["then"]>("ends", "ends", "goes on", "is reset"),
    isEarly: fc.boolean(),
  })
  .map((script) =>
    script.bytes.length > shortestForBytes && script.pace === "byte by byte"
      ? { ...script, pace: "in two parts" }
      : script,
  );

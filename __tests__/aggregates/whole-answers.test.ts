import type { RequestListener } from "node:http";
import zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { anyText } from "../fuzz/any-text.ts";
import { firstSeed, isLong } from "../fuzz/bounds.ts";

/** What a part answers: its bytes, cut where it says. */
type PartAnswer = Readonly<{
  status: number;
  type?: string | undefined;
  coding?: string;
  bytes: Buffer;
  cuts: readonly number[];
}>;

let parts: Readonly<Record<string, PartAnswer>> = {};
let upstream: Upstream;
const gateways: RunningGateway[] = [];

const answerAsTold: RequestListener = (req, res) => {
  // What is asked for by a value answers as the second part.
  const { status, type, coding, bytes, cuts } = parts[req.url!] ?? parts["/b"]!;
  if (type !== undefined) res.setHeader("content-type", type);
  if (coding !== undefined) res.setHeader("content-encoding", coding);
  res.writeHead(status);
  let from = 0;
  for (const to of [...cuts, bytes.length].sort((one, other) => one - other)) {
    res.write(bytes.subarray(from, to));
    from = to;
  }
  res.end();
};

beforeAll(async () => {
  upstream = await startUpstream(answerAsTold);
  const Routes = ["a", "b", "c/{id}"].map((path) => ({
    Key: path[0]!,
    UpstreamPathTemplate: `/${path}`,
    DownstreamPathTemplate: `/${path}`,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
  }));
  const RouteKeysConfig = [{ RouteKey: "c", JsonPath: "$[*]", Parameter: "id" }];
  const Aggregates = [
    { UpstreamPathTemplate: "/both", RouteKeys: ["a", "b"] },
    { UpstreamPathTemplate: "/gaps", RouteKeys: ["a", "b"], OnFailure: "Null" },
    { UpstreamPathTemplate: "/values", RouteKeys: ["a", "c"], RouteKeysConfig },
  ];
  for (const { create } of engines) gateways.push(await startGateway({ Routes, Aggregates }, { engine: create() }));
});

afterAll(() => Promise.all([upstream.close(), ...gateways.map(({ close }) => close())]));

async function askBoth(gateway: RunningGateway, a: Partial<PartAnswer>, b: Partial<PartAnswer> = {}, path = "/both") {
  const usual = { status: 200, bytes: Buffer.from("1"), cuts: [] };
  parts = { "/a": { ...usual, ...a }, "/b": { ...usual, ...b } };
  const answer = await fetch(gateway.origin + path);
  return { answer, text: await answer.text() };
}

const json = "application/json";

describe.each(engines.map(({ name }, index) => ({ name, index })))("An aggregate, by $name", ({ index }) => {
  test.each<{ reason: string; part: Partial<PartAnswer>; member: string }>([
    {
      reason: "JSON goes in byte for byte",
      part: { type: json, bytes: Buffer.from(' {"a" : 1.50e1}\n') },
      member: ' {"a" : 1.50e1}\n',
    },
    {
      reason: "JSON of another type, too",
      part: { type: "application/hal+json; charset=utf-8", bytes: Buffer.from("[]") },
      member: "[]",
    },
    { reason: "a mark of UTF-8 is no JSON", part: { type: json, bytes: Buffer.from("\ufeff[1]") }, member: "[1]" },
    {
      reason: "JSON in another charset is in UTF-8 here",
      part: { type: "application/json; charset=latin1", bytes: Buffer.from('"é"', "latin1") },
      member: '"é"',
    },
    { reason: "no content is null", part: { status: 204, bytes: Buffer.alloc(0) }, member: "null" },
    { reason: "nothing new is null", part: { status: 304, type: json, bytes: Buffer.alloc(0) }, member: "null" },
    {
      reason: "nothing in a coding is null",
      part: { type: json, coding: "gzip", bytes: zlib.gzipSync("") },
      member: "null",
    },
    { reason: "nothing is null", part: { type: json, bytes: Buffer.alloc(0) }, member: "null" },
    {
      reason: "a text is a text",
      part: { type: "text/plain", bytes: Buffer.from('a "b"\n') },
      member: '"a \\"b\\"\\n"',
    },
    { reason: "a page is a text", part: { type: "text/html", bytes: Buffer.from("<p>") }, member: '"<p>"' },
    {
      reason: "a text that is JSON is JSON",
      part: { type: "text/plain", bytes: Buffer.from("[1, 2]") },
      member: "[1, 2]",
    },
    {
      reason: "a text that begins as JSON is a text",
      part: { type: "text/plain", bytes: Buffer.from("[1, 2") },
      member: '"[1, 2"',
    },
    { reason: "bytes without a type are a text where they can be", part: { bytes: Buffer.from("ä") }, member: '"ä"' },
    { reason: "other bytes without a type are base64", part: { bytes: Buffer.from([0xff, 0xfe]) }, member: '"//4="' },
    { reason: "an image is base64", part: { type: "image/png", bytes: Buffer.from("png!") }, member: '"cG5nIQ=="' },
    { reason: "gzip is undone", part: { type: json, coding: "gzip", bytes: zlib.gzipSync("[7]") }, member: "[7]" },
    {
      reason: "br is undone",
      part: { type: json, coding: "br", bytes: zlib.brotliCompressSync("[8]") },
      member: "[8]",
    },
    {
      reason: "a form is a text",
      part: { type: "application/x-www-form-urlencoded", bytes: Buffer.from("a=1") },
      member: '"a=1"',
    },
    {
      reason: "a failure of the service is an answer",
      part: { status: 500, type: json, bytes: Buffer.from('{"no":1}') },
      member: '{"no":1}',
    },
  ])("$reason", async ({ part, member }) => {
    const { answer, text } = await askBoth(gateways[index]!, part);
    expect(text).toBe(`{"a":${member},"b":1}`);
    expect(answer.headers.get("aggregate-status")).toBe(`"a";status=${part.status ?? 200}, "b";status=200`);
    expect(answer.headers.get("content-type")).toBe(json);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
  });

  test.each([
    { reason: "no JSON", bytes: "{1}" },
    { reason: "two values", bytes: "1 2" },
    { reason: "a value that is not whole", bytes: '{"a":' },
    { reason: "an overlong character", bytes: Buffer.from([0x22, 0xc0, 0x80, 0x22]) },
    { reason: "too many levels", bytes: "[".repeat(513) + "]".repeat(513) },
  ])("breaks off at a body of JSON that is $reason", async ({ bytes }) => {
    await expect(askBoth(gateways[index]!, { type: json, bytes: Buffer.from(bytes) })).rejects.toThrow();
  });

  test("takes 512 levels", async () => {
    const deep = "[".repeat(512) + "]".repeat(512);
    const { text } = await askBoth(gateways[index]!, { type: json, bytes: Buffer.from(deep) });
    expect(text).toBe(`{"a":${deep},"b":1}`);
  });

  test.each([
    { reason: "a coding that is not known", part: { coding: "deflate" } },
    { reason: "a charset that is not known", part: { type: "text/plain; charset=klingon" } },
  ])("answers 502 to $reason", async ({ part }) => {
    const { answer } = await askBoth(gateways[index]!, {}, part);
    expect(answer.status).toBe(502);
  });
});

const encoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gzipSync,
  GZip: zlib.gzipSync,
  "x-gzip": zlib.gzipSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
  deflate: zlib.deflateSync,
  identity: (bytes) => bytes,
  "gzip, br": (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes)),
  "br,  gzip": (bytes) => zlib.gzipSync(zlib.brotliCompressSync(bytes)),
  klingon: (bytes) => bytes,
};

const anyPart = fc
  .record({
    status: fc.constantFrom(200, 200, 201, 204, 304, 404, 500),
    type: fc.constantFrom(
      undefined,
      ...[json, json, "application/problem+json", "application/json; charset=latin1", "image/png", "application/xml"],
      ...["text/plain", "text/plain; charset=utf-16le", "text/csv; charset=klingon"],
    ),
    coding: fc.constantFrom(undefined, undefined, undefined, ...Object.keys(encoders)),
    // What comes in another coding than it says.
    isTrue: fc.constantFrom(true, true, true, false),
    /** How much of a coded body arrives. */
    share: fc.constantFrom(1, 1, 1, 0.5, 0),
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(text)),
      anyText().map((text) => Buffer.from(text)),
      {
        weight: 3,
        arbitrary: fc
          .array(fc.nat(9), { minLength: 1, maxLength: 4 })
          .map((values) => Buffer.from(JSON.stringify(values))),
      },
    ),
    cuts: fc.array(fc.nat(300), { maxLength: 5 }),
  })
  .map(({ coding, isTrue, bytes, share, ...part }): Partial<PartAnswer> => {
    const encoded = coding === undefined || !isTrue ? bytes : encoders[coding]!(bytes);
    const isBare = part.status === 204 || part.status === 304;
    const sent = isBare ? Buffer.alloc(0) : encoded.subarray(0, encoded.length * share);
    return { ...part, ...(coding === undefined ? {} : { coding }), bytes: sent };
  });

const members: Readonly<Record<string, readonly string[]>> = {
  "/both": ["a", "b"],
  "/gaps": ["a", "b"],
  "/values": ["a", "c"],
};

test("Whatever parts answer, a complete answer is valid JSON", async () => {
  const whole = new Map(Object.keys(members).map((path) => [path, 0]));
  await fc.assert(
    fc.asyncProperty(
      ...([anyPart, anyPart, fc.constantFrom(...whole.keys()), fc.nat(1)] as const),
      async (a, b, path, index) => {
        const told = await askBoth(gateways[index]!, a, b, path).catch(() => undefined);
        if (told === undefined) return;
        const { answer, text } = told;
        // The first answer alone, where it has no values.
        if (path === "/values" && !answer.headers.has("aggregate-status")) return;
        expect([200, 502]).toContain(answer.status);
        if (answer.status === 502) return;
        whole.set(path, whole.get(path)! + 1);
        expect(Object.keys(JSON.parse(text) as object)).toEqual(members[path]);
      },
    ),
    { seed: firstSeed, numRuns: isLong ? 1_000 : 300 },
  );
  for (const count of whole.values()) expect(count).toBeGreaterThan(3);
  expect([...whole.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(50);
});

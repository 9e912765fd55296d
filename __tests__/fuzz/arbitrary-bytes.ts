import fc from "fast-check";

const crlf = "\r\n";
const methods = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "get", "CONNECT", "XX"];

const pathPieces = [
  "a",
  "B",
  ".",
  "..",
  "...",
  "/",
  "//",
  "\\",
  ";",
  "%",
  "%2e",
  "%2E",
  "%2f",
  "%5c",
  "%00",
  "%25",
  "%252e",
  "%c0",
  "%ae",
  "%zz",
  "{x}",
  "{",
  "~",
  "!",
  "$",
  "'",
  "(",
  "*",
  "+",
  ",",
  "=",
  ":",
  "@",
  "|",
  "#",
  "%23",
  "%3f",
  "&",
  "\u00e9",
  "\u0001",
  "\t",
  " ",
  "__proto__",
  "Shop",
  "Orders",
];
const queryPieces = [
  "&",
  "=",
  "tenant",
  "tenan%74",
  "Tenant",
  "[",
  "]",
  "%5b",
  "ServiceName",
  "Service%4eame",
  "PartitionKey",
  "+",
  "%20",
  "?",
  "/",
  "a",
  "..",
  ";",
];
const prefixes = [
  "/api/",
  "/own/",
  "/shop/",
  "/svc/a/",
  "/deep/",
  "/weather/",
  "/find?key=",
  "/pair/",
  "/whole?",
  "/mine",
  "/",
  "",
  "//",
  "http://gw.example/api/",
  "*",
];

const text = (pieces: readonly string[], maxLength = 8) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(""));

/** Request targets that would like to be read in two ways. */
export const arbitraryTarget: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...prefixes), text(pathPieces), fc.option(text(queryPieces), { nil: undefined }))
  .map(([prefix, path, query]) => `${prefix}${path}${query === undefined ? "" : `?${query}`}`);

const headerLines = [
  "Content-Length: 0",
  "Content-Length: 5",
  "Content-Length: 05",
  "Content-Length: +5",
  "Content-Length: 5, 5",
  "Content-Length:5 ",
  "Content-Length : 5",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: Chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: x",
  "Transfer-Encoding:\tchunked",
  "Transfer-Encoding : chunked",
  "Transfer-Encoding: \u000bchunked",
  "X: a\r\n Content-Length: 5",
  "X: a\nContent-Length: 5",
  "Connection: close",
  "Connection: keep-alive, Content-Length",
  "Connection: transfer-encoding",
  "Connection: Upgrade",
  "Upgrade: h2c",
  "Upgrade: websocket",
  "Expect: 100-continue",
  "TE: trailers",
  "Trailer: X",
  "X-Forwarded-For: 1.1.1.1",
  "X-Tenant: a/b?c",
  "X-Tenant: ..",
  "Host: evil",
  "X: \u00e9",
  "X: \u0000",
  "Cookie: a",
  "Cookie: b",
  ":",
  "X",
  " X: 1",
  "__proto__: 1",
];
const bodies = [
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "0\r\n\r\n",
  "5;x\r\nhello\r\n0\r\n\r\n",
  "5\nhello\r\n0\r\n\r\n",
  "zz\r\n",
  "0\r\nX: 1\r\n\r\n",
  "GET /api/smuggled HTTP/1.1\r\nHost: x\r\n\r\n",
];

const hostileRequest = fc
  .record({
    method: fc.constantFrom(...methods),
    target: arbitraryTarget,
    version: fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.1 ", ""),
    host: fc.constantFrom("Host: gw.example", "Host: gw.example", "Host: gw.example:80", "Host: a b", ""),
    headers: fc.array(fc.constantFrom(...headerLines), { maxLength: 4 }),
    body: fc.constantFrom(...bodies),
  })
  .map(({ method, target, version, host, headers, body }) =>
    [`${method} ${target} ${version}`, ...[host, ...headers].filter((line) => line !== ""), "", body].join(crlf),
  );

const strangeHeaders = [
  "Connection: keep-alive, Content-Length",
  "Connection: transfer-encoding, host",
  "Connection: Upgrade",
  "Upgrade: h2c",
  "Expect: 100-continue",
  "TE: trailers",
  "Trailer: X",
  "Cookie: a",
  "Content-Type: application/json",
  "Content-Encoding: gzip",
  "Range: bytes=0-1",
  "X-A: \u00e9\u00ff",
  "X_A: 1",
  "X-A:",
  "__proto__: 1",
];
const chunkings = [
  (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  (body: string) => `${body.length.toString(16).padStart(6, "0")};ext="a"\r\n${body}\r\n000\r\nX-T: 1\r\n\r\n`,
  (body: string) => `${body.replaceAll(/[^]/g, "1\r\n$&\r\n")}0\r\n\r\n`,
];
const framings = [
  (body: string) => ["Content-Length: " + String(body.length), "", body].join(crlf),
  (body: string) => [`Content-Length: 000${body.length}`, "", body].join(crlf),
  ...chunkings.flatMap((chunk) =>
    ["chunked", "Chunked", "\tchunked "].map(
      (name) => (body: string) =>
        [
          `Transfer-Encoding:${name.startsWith("\t") ? "" : " "}${name}`,
          "",
          body === "" ? "0\r\n\r\n" : chunk(body),
        ].join(crlf),
    ),
  ),
];

/** One that a gateway takes, with everything in it that some upstream might read differently. */
const soundRequest = fc
  .record({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "PROPFIND", "QUERY"),
    target: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom("/api/x", "/api/a%2Fb;c?d=%zz&e", "/api//x", "/api/~a'(b)|{c}", "/api/%C3%A9?a=b"),
      },
      { weight: 1, arbitrary: arbitraryTarget },
    ),
    version: fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.0"),
    headers: fc.array(fc.constantFrom(...strangeHeaders), { maxLength: 3 }),
    frame: fc.constantFrom(() => crlf, ...framings),
    body: fc.constantFrom("", ...bodies),
  })
  .map(({ method, target, version, headers, frame, body }) =>
    [`${method} ${target} ${version}`, "Host: gw.example", ...headers, frame(body)].join(crlf),
  );

const arbitraryRequest = fc.oneof({ weight: 4, arbitrary: soundRequest }, { weight: 1, arbitrary: hostileRequest });

/** Bytes that nobody meant as a request. */
const arbitraryNoise = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(crlf, " ", ":", "GET", "HTTP/1.1", "0"),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

const arbitraryChange = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat(3),
  insert: fc.constantFrom("", "\r", "\n", "\r\n", " ", "\t", "\0", ":", "0", "5", "\u0085", ",", ";"),
});

const arbitraryChanges = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(arbitraryChange, { minLength: 1, maxLength: 2 }) },
);

/** One or more requests on one connection, damaged here and there. */
export const arbitraryRequestBytes: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.array(arbitraryRequest, { minLength: 1, maxLength: 3 }), arbitraryChanges)
      .map(([requests, changes]) => changes.reduce(change, requests.join(""))),
  },
  { weight: 1, arbitrary: arbitraryNoise },
);

const statusLines = [
  "HTTP/1.1 200 OK",
  "HTTP/1.1 204 No",
  "HTTP/1.1 304 No",
  "HTTP/1.1 100 C",
  "HTTP/1.1 101 S",
  "HTTP/1.1 103 E",
  "HTTP/1.0 200 OK",
  "HTTP/1.1 999 X",
  "HTTP/1.1 000 X",
  "HTTP/1.1 500",
  "HTTP/2 200 OK",
];

/** Answers of an upstream that is broken, or worse. */
export const arbitraryAnswerBytes: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...statusLines),
    fc.array(fc.constantFrom(...headerLines), { maxLength: 4 }),
    fc.constantFrom(...bodies),
    arbitraryChanges,
  )
  .map(([line, headers, body, changes]) => changes.reduce(change, [line, ...headers, "", body].join(crlf)));

type Change = Readonly<{ at: number; remove: number; insert: string }>;

function change(bytes: string, { at, remove, insert }: Change): string {
  const index = Math.floor(at * bytes.length);
  return bytes.slice(0, index) + insert + bytes.slice(index + remove);
}

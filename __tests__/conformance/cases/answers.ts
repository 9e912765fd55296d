import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { answer, type ConformanceCase, get, head, type Outcome } from "../conformance-case.ts";

const line = "GET /x HTTP/1.1";

function answered(
  name: string,
  upstream: ConformanceCase["upstream"],
  outcome: Outcome,
  ...headers: readonly string[]
): ConformanceCase {
  return { name, send: get("/api/x", ...headers), upstream: upstream!, reaches: [{ line }], gets: [outcome] };
}

function passed(
  name: string,
  upstream: ConformanceCase["upstream"],
  outcome: Outcome,
  ...headers: readonly string[]
): ConformanceCase {
  return { ...answered(name, upstream, outcome, ...headers), staysOpen: true };
}

/** By a method that is never tried twice. */
function failed(name: string, upstream: ConformanceCase["upstream"], code: string): ConformanceCase {
  return {
    name,
    send: head("POST", "/api/x"),
    upstream: upstream!,
    reaches: [{ line: "POST /x HTTP/1.1" }],
    gets: [{ status: 502, code }],
    staysOpen: true,
  };
}

function cut(name: string, upstream: ConformanceCase["upstream"], status = 200): ConformanceCase {
  return { ...answered(name, upstream, { status }), isCut: true };
}

function asked(name: string, method: string, upstream: string, outcome: Outcome): ConformanceCase {
  return {
    name,
    send: head(method, "/api/x"),
    upstream,
    reaches: [{ line: `${method} /x HTTP/1.1` }],
    gets: [outcome],
    staysOpen: true,
  };
}

const hints = "HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\n";
const fields = (count: number): string[] => Array.from({ length: count }, () => "a:");
const longText = "a".repeat(1_000_000);
const blankLines = "\r\n".repeat(500_000);
const blanks = " ".repeat(1_000_000);

async function writeInPieces(socket: Socket, text: string): Promise<void> {
  socket.setNoDelay();
  for (const piece of text) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const statuses = [
  200, 201, 202, 203, 206, 207, 226, 299, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 409, 410, 416, 418,
  421, 422, 429, 451, 499, 500, 501, 502, 503, 504, 507, 511, 599, 600, 999,
] as const;

const noLength = ["content-length", "transfer-encoding"];

const json = "Content-Type: application/json";
const zipped = gzipSync('{"a":1}').toString("latin1");

const ok = answer("200 OK", ["Content-Length: 2"], "ok");

/** What upstreams answer, and what of it reaches the client. */
export const answerCases: readonly ConformanceCase[] = [
  ...statuses.map((status) =>
    passed(`status ${status} passes`, answer(`${status} Whatever`, ["Content-Length: 2"], "ab"), {
      status,
      body: "ab",
    }),
  ),
  passed("a 204 has no length", answer("204 No Content", []), { status: 204, lacks: noLength }),
  passed("a 204 that lies about its length", answer("204 No Content", ["Content-Length: 5"]), {
    status: 204,
    lacks: noLength,
  }),
  passed("a 204 that claims chunks", answer("204 No Content", ["Transfer-Encoding: chunked"]), {
    status: 204,
    lacks: noLength,
  }),
  passed("a 304 keeps its headers", answer("304 Not Modified", ['ETag: "a"', "Content-Length: 5"]), {
    status: 304,
    has: { etag: '"a"' },
  }),
  passed("a header in Latin-1, with a body", answer("200 OK", ["X-A: \xe9", "Content-Length: 2"], "ab"), {
    status: 200,
    has: { "x-a": "\xe9" },
  }),
  passed(
    "a header in Latin-1 that comes before the body",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-A: \xe9\r\nContent-Length: 2\r\n\r\n", "latin1");
      setTimeout(() => socket.write("ab"), 30);
    },
    { status: 200, has: { "x-a": "\xe9" }, body: "ab" },
  ),
  passed("a 205", answer("205 Reset Content", ["Content-Length: 0"]), { status: 205, body: "" }),
  asked("HEAD keeps the length of what GET would give", "HEAD", answer("200 OK", ["Content-Length: 1234"]), {
    status: 200,
    has: { "content-length": "1234" },
  }),
  asked("HEAD of a chunked answer", "HEAD", answer("200 OK", ["Transfer-Encoding: chunked"]), { status: 200 }),
  asked("HEAD of a missing resource", "HEAD", answer("404 Not Found", ["Content-Length: 9"]), {
    status: 404,
    has: { "content-length": "9" },
  }),
  asked("OPTIONS with an empty answer", "OPTIONS", answer("200 OK", ["Allow: GET", "Content-Length: 0"]), {
    status: 200,
    has: { allow: "GET" },
  }),
  passed("an answer in chunks", answer("200 OK", ["Transfer-Encoding: chunked"], "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"), {
    status: 200,
    body: "abc",
    has: { "transfer-encoding": "chunked" },
    lacks: ["content-length"],
  }),
  passed("an empty answer in chunks", answer("200 OK", ["Transfer-Encoding: chunked"], "0\r\n\r\n"), {
    status: 200,
    body: "",
  }),
  answered("an answer that ends with its connection", (socket) => socket.end(answer("200 OK", [], "until the end")), {
    status: 200,
    body: "until the end",
  }),
  passed(
    "cookies stay apart, in their order",
    answer("200 OK", [
      "Set-Cookie: a=1",
      "X-A: 1",
      "Set-Cookie: b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
      "Content-Length: 0",
    ]),
    {
      status: 200,
      has: { "set-cookie": ["a=1", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"] },
    },
  ),
  passed(
    "other repeats stay apart",
    answer("200 OK", ["WWW-Authenticate: Basic", "WWW-Authenticate: Bearer", "Content-Length: 0"]),
    {
      status: 200,
      has: { "www-authenticate": ["Basic", "Bearer"] },
    },
  ),
  passed(
    "hop-by-hop headers of an answer",
    answer("200 OK", [
      "Keep-Alive: timeout=1",
      "Proxy-Authenticate: Basic",
      "Upgrade: h2c",
      "Trailer: X-T",
      "X-Stays: 1",
      "Content-Length: 0",
    ]),
    { status: 200, has: { "x-stays": "1" }, lacks: ["proxy-authenticate", "upgrade", "trailer"] },
  ),
  passed(
    "what an answer's Connection names",
    answer("200 OK", ["Connection: X-Hop, keep-alive", "X-Hop: 1", "Content-Length: 0"]),
    { status: 200, lacks: ["x-hop"] },
  ),
  passed(
    "an answer's Connection cannot take its framing away",
    answer("200 OK", ["Connection: content-length, content-type", "Content-Type: a/b", "Content-Length: 2"], "ab"),
    {
      status: 200,
      body: "ab",
      has: { "content-length": "2", "content-type": "a/b" },
    },
  ),
  answered(
    "an upstream that closes does not close the client",
    (socket) => socket.end(answer("200 OK", ["Connection: close", "Content-Length: 2"], "ok")),
    { status: 200, body: "ok" },
  ),
  passed(
    "a redirect is not followed",
    answer("302 Found", ["Location: http://evil.example/../x", "Content-Length: 0"]),
    { status: 302, has: { location: "http://evil.example/../x" } },
  ),
  passed(
    "a compressed body is passed as it is",
    answer("200 OK", ["Content-Encoding: gzip", "Content-Length: 3"], "\u001f\u008b\u00ff"),
    { status: 200, body: "\u001f\u008b\u00ff", has: { "content-encoding": "gzip" } },
  ),
  passed("JSON with a length", answer("200 OK", [json, "Content-Length: 7"], '{"a":1}'), {
    status: 200,
    body: '{"a":1}',
  }),
  passed(
    "JSON in chunks",
    answer("200 OK", [json, "Transfer-Encoding: chunked"], '2\r\n{"\r\n5\r\na":1}\r\n0\r\n\r\n'),
    {
      status: 200,
      body: '{"a":1}',
    },
  ),
  answered("JSON that ends with its connection", (socket) => socket.end(answer("200 OK", [json], '{"a":1}')), {
    status: 200,
    body: '{"a":1}',
  }),
  passed(
    "JSON that is compressed",
    answer("200 OK", [json, "Content-Encoding: gzip", `Content-Length: ${zipped.length}`], zipped),
    {
      status: 200,
      body: zipped,
      has: { "content-encoding": "gzip" },
    },
  ),
  passed("an error that is JSON", answer("500 Oops", [json, "Content-Length: 7"], '{"a":1}'), {
    status: 500,
    body: '{"a":1}',
  }),
  passed("no JSON, whatever its type says", answer("200 OK", [json, "Content-Length: 4"], "<a/>"), {
    status: 200,
    body: "<a/>",
  }),
  passed(
    "a part of JSON",
    answer("206 Partial Content", [json, "Content-Range: bytes 0-1/9", "Content-Length: 2"], "[1"),
    {
      status: 206,
      body: "[1",
    },
  ),
  asked("HEAD of JSON", "HEAD", answer("200 OK", [json, "Content-Length: 7"]), { status: 200, body: "" }),
  passed("bytes above ASCII in a value", answer("200 OK", ["X-A: \u00e9\u00ff", "Content-Length: 0"]), {
    status: 200,
    has: { "x-a": "\u00e9\u00ff" },
  }),
  passed("no reason phrase", answer("200 ", ["Content-Length: 0"]), { status: 200 }),
  passed("a part of a body", answer("206 Partial Content", ["Content-Range: bytes 0-1/9", "Content-Length: 2"], "ab"), {
    status: 206,
    has: { "content-range": "bytes 0-1/9" },
    body: "ab",
  }),
  passed("names of Object's own members", answer("200 OK", ["__proto__: 1", "constructor: 2", "Content-Length: 0"]), {
    status: 200,
    has: { constructor: "2" },
  }),
  passed(
    "a Date of the upstream is kept",
    answer("200 OK", ["Date: Wed, 21 Oct 2026 07:28:00 GMT", "Content-Length: 0"]),
    { status: 200, has: { date: "Wed, 21 Oct 2026 07:28:00 GMT" } },
  ),

  passed("100 before the answer is dropped", `HTTP/1.1 100 Continue\r\n\r\n${ok}`, { status: 200, body: "ok" }),
  passed("100 with headers is dropped", `HTTP/1.1 100 Go on\r\nX-A: 1\r\n\r\n${ok}`, {
    status: 200,
    body: "ok",
    lacks: ["x-a"],
  }),
  passed(
    "a body that looks like 100 is passed on",
    answer("200 OK", ["Content-Length: 25"], "HTTP/1.1 100 Continue\r\n\r\n"),
    {
      status: 200,
      body: "HTTP/1.1 100 Continue\r\n\r\n",
    },
  ),
  passed("102 before the answer is dropped", `HTTP/1.1 102 Processing\r\n\r\n${ok}`, { status: 200, body: "ok" }),
  passed("103 before the answer is dropped", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}`, {
    status: 200,
    body: "ok",
    lacks: ["link"],
  }),
  passed("as many of them as may come at once", `${hints.repeat(32)}${ok}`, {
    status: 200,
    body: "ok",
    lacks: ["x-a"],
  }),
  failed("one more of them", `${hints.repeat(33)}${ok}`, "upstream-ill-formed"),
  passed("100 behind 103 is dropped, too", `${hints}HTTP/1.1 100 Continue\r\n\r\n${ok}`, { status: 200, body: "ok" }),
  passed("100 twice", `${"HTTP/1.1 100 Continue\r\n\r\n".repeat(2)}${ok}`, { status: 200, body: "ok" }),
  passed("100 in pieces", (socket) => void writeInPieces(socket, `HTTP/1.1 100 Continue\r\n\r\n${ok}`), {
    status: 200,
    body: "ok",
  }),
  {
    ...cut("an extension of a chunk without an end", (socket) =>
      socket.write(`${answer("200 OK", ["Transfer-Encoding: chunked"], "1\r\na\r\n1;")}${longText}`),
    ),
    mayLoseHead: true,
  },
  passed("nearly as many fields as are read", answer("200 OK", ["Content-Length: 2", ...fields(998)], "ok"), {
    status: 200,
    body: "ok",
  }),
  failed(
    "as many fields as are read: nobody knows whether there were more",
    answer("200 OK", ["Content-Length: 2", ...fields(999)], "ok"),
    "upstream-ill-formed",
  ),
  failed(
    "an interim answer with as many: one of those left out tells of a body",
    `${answer("103 Early Hints", [...fields(1_000), `Content-Length: ${ok.length}`])}${ok}${ok}`,
    "upstream-ill-formed",
  ),
  failed("a reason phrase without an end", (socket) => socket.write(`HTTP/1.1 200 ${longText}`), "upstream-ill-formed"),
  failed("blank lines before a head, without an end", (socket) => socket.write(blankLines), "upstream-ill-formed"),
  failed(
    "blank lines behind an interim answer, without an end",
    (socket) => socket.write(`${hints}${blankLines}`),
    "upstream-ill-formed",
  ),
  failed(
    "blanks before the value of a header, without an end",
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-A:${blanks}`),
    "upstream-ill-formed",
  ),
  ...(
    [
      ["zeros before the length of a chunk, without an end", "0".repeat(1_000_000)],
      ["zeros before the length of each of many chunks", `${"0".repeat(50_000)}1\r\na\r\n`.repeat(20)],
      ["blanks before the value of a trailer, without an end", `0\r\nX-A:${blanks}`],
    ] as const
  ).map(([name, text]) => ({
    ...cut(name, (socket) => socket.write(`${answer("200 OK", ["Transfer-Encoding: chunked"], "1\r\na\r\n")}${text}`)),
    mayLoseHead: true as const,
  })),
  passed(
    "more zeros and blank lines than that, with interim answers and chunks between them",
    [
      `${`${"\r\n".repeat(20_000)}${hints}`.repeat(4)}HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `${`${"0".repeat(40_000)}3E8\r\n${"a".repeat(1_000)}\r\n`.repeat(4)}0\r\n\r\n`,
    ].join(""),
    { status: 200, body: "a".repeat(4_000) },
  ),
  failed(
    "101 without having been asked",
    answer("101 Switching Protocols", ["Connection: Upgrade", "Upgrade: websocket"], "raw"),
    "upstream-ill-formed",
  ),

  passed(
    "trailers go to a client that asked",
    answer("200 OK", ["Transfer-Encoding: chunked"], "1\r\na\r\n0\r\nX-T: 1\r\nSet-Cookie: a=1\r\n\r\n"),
    { status: 200, body: "a", trailers: [["x-t", "1"]] },
    "TE: trailers",
  ),
  passed(
    "trailers that are no header of an answer either",
    answer(
      "200 OK",
      ["Transfer-Encoding: chunked"],
      "1\r\na\r\n0\r\nX-T: 1\r\nProxy-Authenticate: Basic\r\nKeep-Alive: timeout=1\r\n\r\n",
    ),
    { status: 200, body: "a", trailers: [["x-t", "1"]] },
    "TE: trailers",
  ),
  passed(
    "trailers that say how an answer is to be taken, which the head has said already",
    answer(
      "200 OK",
      ["Transfer-Encoding: chunked"],
      "1\r\na\r\n0\r\nX-T: 1\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nAge: 5\r\nCache-Control: no-store\r\nExpires: 0\r\n" +
        "Retry-After: 1\r\nVary: *\r\nWarning: 110 - a\r\nWWW-Authenticate: Basic\r\n\r\n",
    ),
    { status: 200, body: "a", trailers: [["x-t", "1"]] },
    "TE: trailers",
  ),
  passed(
    "trailers do not go to others",
    answer("200 OK", ["Transfer-Encoding: chunked"], "1\r\na\r\n0\r\nX-T: 1\r\n\r\n"),
    { status: 200, body: "a", trailers: [] },
  ),

  ...(
    [
      ["two different lengths", answer("200 OK", ["Content-Length: 2", "Content-Length: 3"], "abc")],
      ["two equal lengths", answer("200 OK", ["Content-Length: 2", "Content-Length: 2"], "ab")],
      ["a length and chunks", answer("200 OK", ["Content-Length: 2", "Transfer-Encoding: chunked"], "0\r\n\r\n")],
      ["chunks and a length", answer("200 OK", ["Transfer-Encoding: chunked", "Content-Length: 2"], "0\r\n\r\n")],
      ["a length that is no number", answer("200 OK", ["Content-Length: x"], "ab")],
      ["a negative length", answer("200 OK", ["Content-Length: -1"], "ab")],
      ["a folded header", answer("200 OK", ["X-A: 1", " X-B: 2", "Content-Length: 0"])],
      ["a blank before the colon", answer("200 OK", ["X-A : 1", "Content-Length: 0"])],
      ["a NUL in a value", answer("200 OK", ["X-A: a\0b", "Content-Length: 0"])],
      ["a control character in a name", answer("200 OK", ["X\u0001A: b", "Content-Length: 0"])],
      ["a bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"],
      ["garbage", "this is not HTTP\r\n\r\n"],
      ["bytes of another protocol", "\u0015\u0003\u0001\u0000\u0002\u0002\u0046"],
      ["a request instead of an answer", "GET / HTTP/1.1\r\n\r\n"],
      ["status 000", answer("000 Zero", ["Content-Length: 0"])],
      ["status 099", answer("099 Low", ["Content-Length: 0"])],
      ["a status of four digits", answer("2000 OK", ["Content-Length: 0"])],
      ["a status that is no number", answer("abc OK", ["Content-Length: 0"])],
      ["HTTP/3.0", "HTTP/3.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
      ["headers without end", answer("200 OK", [`X-A: ${"a".repeat(100_000)}`, "Content-Length: 0"])],
      [
        "many headers without end",
        answer("200 OK", [
          ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: aaaaaaaaaa`),
          "Content-Length: 0",
        ]),
      ],
    ] as const
  ).map(([name, upstream]) => failed(`answer with ${name}`, upstream, "upstream-ill-formed")),

  ...(
    [
      ["gzip, chunked", answer("200 OK", ["Transfer-Encoding: gzip, chunked"], "2\r\nab\r\n0\r\n\r\n")],
      ["gzip, then chunked", answer("200 OK", ["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"], "0\r\n\r\n")],
      ["chunked twice", answer("200 OK", ["Transfer-Encoding: chunked, chunked"], "0\r\n\r\n")],
      [
        "chunked in two headers",
        answer("200 OK", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], "0\r\n\r\n"),
      ],
      ["chunked not last", answer("200 OK", ["Transfer-Encoding: chunked, gzip"], "0\r\n\r\n")],
      ["gzip alone", answer("200 OK", ["Transfer-Encoding: gzip"], "ab")],
      ["identity", answer("200 OK", ["Transfer-Encoding: identity"], "ab")],
      ["identity beside a length", answer("200 OK", ["Transfer-Encoding: identity", "Content-Length: 2"], "ab")],
      ["an unknown coding", answer("200 OK", ["Transfer-Encoding: xchunked"], "0\r\n\r\n")],
      ["nothing", answer("200 OK", ["Transfer-Encoding:"], "0\r\n\r\n")],
      ["a parameter", answer("200 OK", ["Transfer-Encoding: chunked;q=1"], "0\r\n\r\n")],
    ] as const
  ).map(([name, upstream]) => failed(`answer whose transfer coding is ${name}`, upstream, "upstream-ill-formed")),
  ...["Chunked", "CHUNKED", "\tchunked "].map((coding) =>
    passed(
      `an answer whose transfer coding is spelt ${JSON.stringify(coding)}`,
      answer("200 OK", [`Transfer-Encoding: ${coding}`], "2\r\nab\r\n0\r\n\r\n"),
      { status: 200, body: "ab", has: { "transfer-encoding": "chunked" } },
    ),
  ),

  failed("an upstream that closes without an answer", (socket) => socket.end(), "upstream-reset"),
  failed("an upstream that resets without an answer", (socket) => socket.resetAndDestroy(), "upstream-reset"),
  failed("an upstream that closes within the status line", (socket) => socket.end("HTTP/1.1 20"), "upstream-reset"),
  failed(
    "an upstream that closes within the head",
    (socket) => socket.end("HTTP/1.1 200 OK\r\nX-A: 1\r\n"),
    "upstream-reset",
  ),
  failed(
    "an upstream that closes after 103",
    (socket) => socket.end("HTTP/1.1 103 Early Hints\r\n\r\n"),
    "upstream-reset",
  ),

  cut("a body shorter than its length", (socket) => socket.end(answer("200 OK", ["Content-Length: 9"], "abc"))),
  cut("a body cut by a reset", (socket) =>
    socket.write(answer("200 OK", ["Content-Length: 9"], "abc"), () => socket.resetAndDestroy()),
  ),
  cut("chunks without their end", (socket) =>
    socket.end(answer("200 OK", ["Transfer-Encoding: chunked"], "3\r\nabc\r\n")),
  ),
  cut("JSON shorter than its length", (socket) => socket.end(answer("200 OK", [json, "Content-Length: 9"], '{"a":1'))),
  cut("a chunk cut in the middle", (socket) =>
    socket.end(answer("200 OK", ["Transfer-Encoding: chunked"], "9\r\nabc")),
  ),
  cut("a chunk that is ill-formed", answer("200 OK", ["Transfer-Encoding: chunked"], "3\r\nabc\r\nzz\r\n")),
  cut(
    "an ill-formed trailer",
    answer("200 OK", ["Transfer-Encoding: chunked"], "3\r\nabc\r\n0\r\nbad trailer\r\n\r\n"),
  ),
  cut("an error's body that is cut", (socket) => socket.end(answer("500 Oops", ["Content-Length: 9"], "abc")), 500),

  passed(
    "more bytes than the length says are nobody's answer",
    answer("200 OK", ["Content-Length: 2"], "okHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"),
    { status: 200, body: "ok" },
  ),
  passed("two answers to one request", ok + answer("200 OK", ["Content-Length: 4"], "evil"), {
    status: 200,
    body: "ok",
  }),
  asked("HEAD answered with a body", "HEAD", answer("200 OK", ["Content-Length: 4"], "evil"), { status: 200 }),
  passed("a 204 with a body", answer("204 No Content", ["Content-Length: 4"], "evil"), { status: 204 }),
  passed("a 304 with a body", answer("304 Not Modified", ["Content-Length: 4"], "evil"), { status: 304 }),

  {
    name: "HTTP/1.0: an answer in chunks ends with the connection",
    send: "GET /api/x HTTP/1.0\r\nHost: gw.example\r\n\r\n",
    upstream: answer("200 OK", ["Transfer-Encoding: chunked"], "2\r\nab\r\n0\r\n\r\n"),
    reaches: [{ line }],
    gets: [{ status: 200, body: "ab", lacks: ["transfer-encoding"] }],
  },
  {
    name: "HTTP/1.0 with keep-alive and a length",
    send: "GET /api/x HTTP/1.0\r\nHost: gw.example\r\nConnection: keep-alive\r\n\r\n",
    upstream: ok,
    reaches: [{ line }],
    gets: [{ status: 200, body: "ok" }],
    staysOpen: true,
  },
  {
    name: "a client that wants to close",
    send: get("/api/x", "Connection: close"),
    upstream: ok,
    reaches: [{ line }],
    gets: [{ status: 200, body: "ok", has: { connection: "close" } }],
  },
];

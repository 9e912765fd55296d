import { chunked, type ConformanceCase, get, head, withLength } from "../conformance-case.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const expectsContent: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
const smuggled = "GET /admin/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

/** Node refuses these itself: they must be 400, close, and never reach the upstream. */
const refusedByTheParser: readonly (readonly [string, string])[] = [
  ["a length and chunks", head("POST", "/api/x", "Content-Length: 5", "Transfer-Encoding: chunked") + "0\r\n\r\n"],
  ["chunks and a length", head("POST", "/api/x", "Transfer-Encoding: chunked", "Content-Length: 5") + "0\r\n\r\n"],
  ["two different lengths", head("POST", "/api/x", "Content-Length: 1", "Content-Length: 2") + "ab"],
  ["two equal lengths", head("POST", "/api/x", "Content-Length: 2", "Content-Length: 2") + "ab"],
  ["a list of lengths", head("POST", "/api/x", "Content-Length: 2, 2") + "ab"],
  ["a length with a sign", head("POST", "/api/x", "Content-Length: +2") + "ab"],
  ["a negative length", head("POST", "/api/x", "Content-Length: -2") + "ab"],
  ["a length with a fraction", head("POST", "/api/x", "Content-Length: 2.0") + "ab"],
  ["a hexadecimal length", head("POST", "/api/x", "Content-Length: 0x2") + "ab"],
  ["a length that is no number", head("POST", "/api/x", "Content-Length: two") + "ab"],
  ["an empty length", head("POST", "/api/x", "Content-Length:") + "ab"],
  ["a length beyond any number", head("POST", "/api/x", `Content-Length: ${"9".repeat(30)}`) + "ab"],
  ["an obsolete folded length", head("POST", "/api/x", "X-A: 1", " Content-Length: 5") + smuggled],
  ["a blank before the colon", head("POST", "/api/x", "Transfer-Encoding : chunked") + "0\r\n\r\n"],
  ["a blank before a name", head("POST", "/api/x", " Transfer-Encoding: chunked") + "0\r\n\r\n"],
  [
    "a control character in the coding's name",
    head("POST", "/api/x", "Transfer\u000b-Encoding: chunked") + "0\r\n\r\n",
  ],
  ["chunked named twice", head("POST", "/api/x", "Transfer-Encoding: chunked, chunked") + "0\r\n\r\n" + smuggled],
  ["chunked not last", head("POST", "/api/x", "Transfer-Encoding: chunked, identity") + "0\r\n\r\n" + smuggled],
  ["an unknown coding", head("POST", "/api/x", "Transfer-Encoding: xchunked") + "0\r\n\r\n" + smuggled],
  ["identity as the coding", head("POST", "/api/x", "Transfer-Encoding: identity") + smuggled],
  ["chunked in quotes", head("POST", "/api/x", 'Transfer-Encoding: "chunked"') + "0\r\n\r\n" + smuggled],
  [
    "chunked, then another coding in a second header",
    head("POST", "/api/x", "Transfer-Encoding: chunked", "Transfer-Encoding: x") + "0\r\n\r\n",
  ],
  [
    "a vertical tab before chunked",
    head("POST", "/api/x", "Transfer-Encoding: \u000bchunked") + "0\r\n\r\n" + smuggled,
  ],
  ["a bare LF between headers", "POST /api/x HTTP/1.1\r\nHost: x\nContent-Length: 2\r\n\r\nab"],
  ["a bare LF at the end of the head", "GET /api/x HTTP/1.1\r\nHost: x\r\n\n"],
  ["a bare CR in a value", head("GET", "/api/x", "X-A: 1\rContent-Length: 40")],
  ["a bare LF after a chunk's size", head("POST", "/api/x", "Transfer-Encoding: chunked") + "2\nab\r\n0\r\n\r\n"],
  ["a chunk's size that is no number", head("POST", "/api/x", "Transfer-Encoding: chunked") + "zz\r\nab\r\n0\r\n\r\n"],
  ["a chunk's size with 0x", head("POST", "/api/x", "Transfer-Encoding: chunked") + "0x2\r\nab\r\n0\r\n\r\n"],
  ["a chunk's size with a sign", head("POST", "/api/x", "Transfer-Encoding: chunked") + "+2\r\nab\r\n0\r\n\r\n"],
  [
    "a chunk's size beyond any number",
    head("POST", "/api/x", "Transfer-Encoding: chunked") + "fffffffffffffffff\r\nab\r\n0\r\n\r\n",
  ],
  ["a chunk longer than its size", head("POST", "/api/x", "Transfer-Encoding: chunked") + "2\r\nabc\r\n0\r\n\r\n"],
  [
    "a bare LF in a chunk extension",
    head("POST", "/api/x", "Transfer-Encoding: chunked") + "2;a\nb\r\nab\r\n0\r\n\r\n",
  ],
  ["a NUL in a header's value", head("GET", "/api/x", "X-A: a\0b")],
  ["a NUL in a header's name", head("GET", "/api/x", "X\0A: b")],
  ["a header without a colon", head("GET", "/api/x", "NoColonHere")],
  ["a header without a name", head("GET", "/api/x", ": value")],
  ["two targets in the request line", "GET /api/x /api/y HTTP/1.1\r\nHost: x\r\n\r\n"],
  [
    "a framing header as a trailer",
    `${head("POST", "/api/x", "Transfer-Encoding: chunked")}1\r\na\r\n0\r\nContent-Length: 5\r\nHost: evil\r\n\r\n`,
  ],
  ["a tab in the request line", "GET\t/api/x HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["an unknown method", "STEAL /api/x HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["a lower-case method", "get /api/x HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["no Host", "GET /api/x HTTP/1.1\r\n\r\n"],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["the hello of TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n"],
];

/** What a header names in `Connection` must not take the framing off a body, whatever the method. */
const framingInConnection = methods.flatMap((method): ConformanceCase[] => {
  const body = smuggled;
  const line = `${method} /x HTTP/1.1`;
  const gets = [{ status: 200 }];
  const length = String(body.length);
  const tokens = ["content-length", "transfer-encoding", "close-not, Content-Length, Transfer-Encoding"];
  return [
    {
      name: `${method}: a body with a length arrives with that length`,
      send: withLength(method, "/api/x", body),
      reaches: [{ line, body, has: { "content-length": length }, lacks: ["transfer-encoding"] }],
      gets,
      staysOpen: true,
    },
    {
      name: `${method}: a body in chunks arrives in chunks`,
      send: chunked(method, "/api/x", body),
      reaches: [{ line, body, has: { "transfer-encoding": "chunked" }, lacks: ["content-length"] }],
      gets,
      staysOpen: true,
    },
    ...["", "Content-Length: 0"].map((header): ConformanceCase => ({
      name: `${method}: ${header || "no framing"} is no body, and a length of 0 only where a body would have a meaning`,
      send: header === "" ? head(method, "/api/x") : head(method, "/api/x", header),
      reaches: [
        expectsContent.has(method)
          ? { line, has: { "content-length": "0" }, lacks: ["transfer-encoding"] }
          : { line, lacks: ["transfer-encoding", "content-length"] },
      ],
      gets,
      staysOpen: true,
    })),
    {
      name: `${method}: an empty body in chunks arrives in chunks`,
      send: chunked(method, "/api/x", ""),
      reaches: [{ line, body: "", has: { "transfer-encoding": "chunked" }, lacks: ["content-length"] }],
      gets,
      staysOpen: true,
    },
    ...tokens.map((token) => ({
      name: `${method}: Connection names ${token} of a body with a length`,
      send: withLength(method, "/api/x", body, `Connection: ${token}`),
      reaches: [{ line, body, has: { "content-length": length }, lacks: ["transfer-encoding"] }],
      gets,
    })),
    ...tokens.map((token) => ({
      name: `${method}: Connection names ${token} of a body in chunks`,
      send: chunked(method, "/api/x", body, `Connection: ${token}`),
      reaches: [{ line, body, has: { "transfer-encoding": "chunked" }, lacks: ["content-length"] }],
      gets,
    })),
  ];
});

/** Node's parser takes these for chunks and says nothing of what the bytes are coded with besides. */
const foreignCodings: readonly ConformanceCase[] = [
  ["Transfer-Encoding: gzip, chunked"],
  ["Transfer-Encoding: gzip,chunked"],
  ["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"],
  ["Transfer-Encoding: x-unknown, chunked"],
  ["Transfer-Encoding: identity, chunked"],
  ["Transfer-Encoding: , chunked"],
  ["Transfer-Encoding: chunked;q=1, chunked"],
  ["Transfer-Encoding: GZIP , Chunked"],
  ["Connection: transfer-encoding", "Transfer-Encoding: deflate, chunked"],
].flatMap((headers): ConformanceCase[] => [
  {
    name: `a transfer coding besides chunked is refused: ${headers.join(" / ")}`,
    send: `${head("POST", "/api/x", ...headers)}2\r\nab\r\n0\r\n\r\n`,
    gets: [{ status: 501, code: "transfer-coding-unsupported" }],
  },
  {
    name: `a transfer coding besides chunked is nobody's matter where no route matches: ${headers.join(" / ")}`,
    send: `${head("POST", "/nowhere", ...headers)}2\r\nab\r\n0\r\n\r\n`,
    gets: [{ status: 404, body: "unmatched" }],
  },
]);

const acceptedSpellings: readonly ConformanceCase[] = [
  {
    name: "chunk extensions are not passed on",
    send: `${head("POST", "/api/x", "Transfer-Encoding: chunked")}2;ext=1\r\nab\r\n0;last\r\n\r\n`,
    reaches: [{ line: "POST /x HTTP/1.1", body: "ab", has: { "transfer-encoding": "chunked" } }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  ...["Chunked", "CHUNKED", "chunked ", "\tchunked"].map((spelling) => ({
    name: `Transfer-Encoding spelled ${JSON.stringify(spelling)}`,
    send: `${head("POST", "/api/x", `Transfer-Encoding:${spelling.startsWith("\t") ? "" : " "}${spelling}`)}2\r\nab\r\n0\r\n\r\n`,
    reaches: [{ line: "POST /x HTTP/1.1", body: "ab", has: { "transfer-encoding": "chunked" } }],
    gets: [{ status: 200 }],
    staysOpen: true as const,
  })),
  ...(
    [
      ["HTTP/0.9", "GET /api/x\r\n\r\n"],
      ["HTTP/2.0 in the request line", "GET /api/x HTTP/2.0\r\nHost: x\r\n\r\n"],
      ["two blanks in the request line", "GET  /api/x HTTP/1.1\r\nHost: x\r\n\r\n"],
    ] as const
  ).map(([name, send]) => ({
    name: `what the server takes is sent on as HTTP/1.1 all the same: ${name}`,
    send,
    reaches: [{ line: "GET /x HTTP/1.1" }],
    gets: [{ status: 200 }],
  })),
  {
    name: "two requests at once are two requests",
    send: get("/api/one") + get("/api/two"),
    reaches: [{ line: "GET /one HTTP/1.1" }, { line: "GET /two HTTP/1.1" }],
    gets: [
      { status: 200, body: "GET /one" },
      { status: 200, body: "GET /two" },
    ],
    staysOpen: true,
  },
  {
    name: "three requests at once, bodies between them",
    send: withLength("POST", "/api/one", smuggled) + chunked("PUT", "/api/two", smuggled) + get("/api/three"),
    reaches: [
      { line: "POST /one HTTP/1.1", body: smuggled },
      { line: "PUT /two HTTP/1.1", body: smuggled },
      { line: "GET /three HTTP/1.1" },
    ],
    gets: [
      { status: 200, body: "POST /one" },
      { status: 200, body: "PUT /two" },
      { status: 200, body: "GET /three" },
    ],
    staysOpen: true,
  },
  {
    name: "a good request, then one that the parser refuses",
    send: `${get("/api/one")}GET /api/two HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 2\r\n\r\n`,
    reaches: [{ line: "GET /one HTTP/1.1" }],
    gets: [{ status: 400 }],
  },
  {
    name: "an empty line before a request is nothing",
    send: `\r\n${get("/api/x")}`,
    reaches: [{ line: "GET /x HTTP/1.1" }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  {
    name: "HTTP/1.0 with a length",
    send: "POST /api/x HTTP/1.0\r\nHost: gw.example\r\nContent-Length: 2\r\n\r\nab",
    reaches: [{ line: "POST /x HTTP/1.1", body: "ab", has: { "content-length": "2" } }],
    gets: [{ status: 200, has: { connection: "close" } }],
  },
];

/** How bodies are delimited, and who may say so. */
export const framingCases: readonly ConformanceCase[] = [
  ...refusedByTheParser.map(([name, send]) => ({ name: `framing: ${name} is refused`, send, gets: [{ status: 400 }] })),
  ...framingInConnection,
  ...foreignCodings,
  ...acceptedSpellings,
];

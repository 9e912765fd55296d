import { answer, type ConformanceCase, get, withLength } from "../conformance-case.ts";

const line = "GET /x HTTP/1.1";
const gets = [{ status: 200 }];

function arrives(
  name: string,
  headers: readonly string[],
  has: Record<string, string | readonly string[]>,
  lacks: readonly string[] = [],
): ConformanceCase {
  return { name, send: get("/api/x", ...headers), reaches: [{ line, has, lacks }], gets };
}

const hopByHop = [
  "Keep-Alive: timeout=5",
  "Proxy-Connection: keep-alive",
  "Proxy-Authenticate: Basic",
  "Proxy-Authorization: Basic YTpi",
  "TE: trailers",
  "TE: gzip;q=1",
  "Trailer: X-A",
  "Upgrade: h2c",
  "Upgrade: websocket",
  "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
] as const;

const spoofs = [
  "Forwarded: for=1.2.3.4",
  "X-Real-IP: 1.2.3.4",
  "X-Original-URL: /admin",
  "X-Original-Host: evil.example",
  "X-Original-For: 1.2.3.4",
  "X-Rewrite-URL: /admin",
  "X-Client-Certificate: AAAA",
  "X-Forwarded-Port: 1",
  "X-Forwarded-Server: evil",
  "X-Forwarded-Ssl: on",
  "X-Forwarded-User: root",
  "X-Forwarded-Prefix: /evil",
  "x-FORWARDED-anything: 1",
] as const;

const nameOf = (header: string): string => header.slice(0, header.indexOf(":")).toLowerCase();

/** Headers that would like to strip, spoof, split or kill. */
export const headerCases: readonly ConformanceCase[] = [
  ...hopByHop.map((header) =>
    arrives(`hop-by-hop: ${header}`, [header], { "x-checked": "by-middleware" }, [nameOf(header)]),
  ),
  ...hopByHop.map((header) =>
    arrives(`hop-by-hop and named in Connection: ${header}`, [header, `Connection: ${nameOf(header)}`], {}, [
      nameOf(header),
    ]),
  ),
  ...spoofs.map((header) =>
    arrives(`an unknown peer does not say: ${header}`, [header], { "x-forwarded-for": "127.0.0.1" }, [nameOf(header)]),
  ),
  arrives(
    "an unknown peer's X-Forwarded-For, -Proto and -Host are replaced",
    ["X-Forwarded-For: 1.2.3.4", "X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example"],
    { "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http", "x-forwarded-host": "gw.example" },
  ),
  ...spoofs
    .filter((header) => nameOf(header).includes("-"))
    .flatMap((header) => ["_", ".", "~"].map((sign) => header.slice(0, header.indexOf(":")).replaceAll("-", sign)))
    .map((name) => arrives(`an unknown peer does not say: ${name}`, [`${name}: 1.2.3.4`], {}, [name.toLowerCase()])),
  ...["X_Forwarded-For", "X-Forwarded_For", "X_FORWARDED_FOR", "x_forwarded_proto", "X-Forwarded_Host"].map((name) =>
    arrives(`one that is set keeps its value: ${name}`, [`${name}: evil`], { "x-forwarded-for": "127.0.0.1" }, [
      name.toLowerCase(),
    ]),
  ),
  ...["Keep_Alive", "Proxy_Connection", "Proxy_Authorization", "Transfer_Encoding", "HTTP2_Settings"].map((name) =>
    arrives(`hop-by-hop with underscores: ${name}`, [`${name}: chunked`], {}, [name.toLowerCase()]),
  ),
  arrives("a length with an underscore is none", ["Content_Length: 5"], {}, ["content_length", "content-length"]),
  arrives("what middleware sets has one spelling", ["X_Checked: by-client"], { "x-checked": "by-middleware" }, [
    "x_checked",
  ]),
  arrives(
    "what middleware sets has one spelling, whoever sends several",
    ["X_Checked: a", "x.checked: b", "X-Checked: c"],
    { "x-checked": "by-middleware" },
    ["x_checked", "x.checked"],
  ),
  arrives("of two spellings the one with hyphens arrives", ["Api_Key: 1", "Api-Key: 2"], { "api-key": "2" }, [
    "api_key",
  ]),
  arrives("a name with an underscore arrives as it is", ["Api_Key: 1", "Other-Key: 2"], {
    api_key: "1",
    "other-key": "2",
  }),
  arrives("Connection cannot strip what middleware sets", ["Connection: x-checked"], { "x-checked": "by-middleware" }),
  arrives("Connection cannot strip what middleware sets, among others", ["Connection: close, X-Checked, te"], {
    "x-checked": "by-middleware",
  }),
  arrives("Connection cannot strip who the client is", ["Connection: X-Forwarded-For, X-Forwarded-Host"], {
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-host": "gw.example",
  }),
  arrives("Connection cannot strip Host", ["Connection: Host"], {}),
  arrives(
    "Connection cannot strip identity",
    ["Connection: Authorization, Cookie", "Authorization: Bearer t", "Cookie: a=1"],
    {
      authorization: "Bearer t",
      cookie: "a=1",
    },
  ),
  arrives(
    "Connection strips what it names",
    ["Connection: X-Hop, close", "X-Hop: 1", "X-Stays: 2"],
    { "x-stays": "2" },
    ["x-hop"],
  ),
  arrives("several Connection headers", ["Connection: X-Hop", "Connection: X-Other", "X-Hop: 1", "X-Other: 2"], {}, [
    "x-hop",
    "x-other",
  ]),
  arrives("what a client claims the middleware has set is overwritten", ["X-Checked: by-client"], {
    "x-checked": "by-middleware",
  }),
  arrives("cookies arrive as one header", ["Cookie: a=1", "Cookie: b=2"], { cookie: "a=1; b=2" }),
  arrives("repeats arrive joined", ["X-A: 1", "X-A: 2"], { "x-a": "1, 2" }),
  arrives("bytes above ASCII in a value", ["X-A: \u00e9\u00ff"], { "x-a": "\u00e9\u00ff" }),
  arrives("a value with tabs and quotes", ['X-A: "a\tb"'], { "x-a": '"a\tb"' }),
  arrives("an empty value", ["X-A:"], { "x-a": "" }),
  arrives("names of Object's own members", ["__proto__: 1", "constructor: 2", "toString: 3"], {
    constructor: "2",
    tostring: "3",
  }),
  arrives("encodings that the client takes", ["Accept-Encoding: br, gzip"], { "accept-encoding": "br, gzip" }),
  arrives("no encodings where the client names none", [], {}, ["accept-encoding", "accept", "user-agent"]),
  arrives("Range and conditions", ["Range: bytes=0-1", 'If-None-Match: "a"'], {
    range: "bytes=0-1",
    "if-none-match": '"a"',
  }),
  {
    name: "a Trailer header without chunks ends nothing",
    send: withLength("POST", "/api/x", "ab", "Trailer: Expires", "TE: trailers"),
    reaches: [{ line: "POST /x HTTP/1.1", body: "ab", has: { "content-length": "2" }, lacks: ["trailer"] }],
    gets,
    staysOpen: true,
  },
  {
    name: "an h2c upgrade is an ordinary request",
    send: get("/api/x", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"),
    reaches: [{ line, lacks: ["upgrade", "http2-settings"] }],
    gets,
  },
  {
    name: "a sane request id is passed on, both ways",
    send: get("/id/x", "X-Request-Id: abc-123"),
    reaches: [{ line, has: { "x-request-id": "abc-123" } }],
    gets: [{ status: 200, has: { "x-request-id": "abc-123" } }],
    staysOpen: true,
  },
  ...["a b", "", "a".repeat(129), "\u00e9"].map((id): ConformanceCase => ({
    name: `a request id that is not sane is replaced: ${JSON.stringify(id.slice(0, 8))}`,
    send: get("/id/x", `X-Request-Id: ${id}`),
    upstream: answer("200 OK", ["Content-Length: 0", "X-Request-Id: upstreams-own"]),
    reaches: [{ line }],
    gets: [{ status: 200 }],
    staysOpen: true,
  })),
  {
    name: "two request ids",
    send: get("/id/x", "X-Request-Id: a", "X-Request-Id: b"),
    reaches: [{ line }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
];

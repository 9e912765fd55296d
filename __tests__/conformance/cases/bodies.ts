import { answer, chunked, type ConformanceCase, get, head, refused, withLength } from "../conformance-case.ts";

const large = "x".repeat(300_000);
const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("");

function uploaded(name: string, send: string, body: string): ConformanceCase {
  const method = send.slice(0, send.indexOf(" "));
  return { name, send, reaches: [{ line: `${method} /x HTTP/1.1`, body }], gets: [{ status: 200 }], staysOpen: true };
}

/** What clients send behind the head. */
export const bodyCases: readonly ConformanceCase[] = [
  uploaded("every byte, with a length", withLength("POST", "/api/x", bytes), bytes),
  uploaded("every byte, in chunks", chunked("POST", "/api/x", bytes), bytes),
  uploaded("a large body, with a length", withLength("PUT", "/api/x", large), large),
  uploaded("a large body, in chunks", chunked("PUT", "/api/x", large), large),
  uploaded(
    "a body in many chunks",
    `${head("POST", "/api/x", "Transfer-Encoding: chunked")}${"1\r\na\r\n".repeat(500)}0\r\n\r\n`,
    "a".repeat(500),
  ),
  uploaded(
    "trailers of a request are dropped",
    `${head("POST", "/api/x", "Transfer-Encoding: chunked", "Trailer: X-T")}1\r\na\r\n0\r\nX-T: 1\r\n\r\n`,
    "a",
  ),
  {
    name: "a client that waits for 100 gets it from the gateway",
    send: withLength("POST", "/api/x", "ab", "Expect: 100-continue"),
    reaches: [{ line: "POST /x HTTP/1.1", body: "ab" }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  {
    name: "an expectation that nobody knows is refused by the server",
    send: get("/api/x", "Expect: magic"),
    gets: [{ status: 417 }],
  },
  {
    name: "GET with Expect and no body",
    send: get("/api/x", "Expect: 100-continue"),
    reaches: [{ line: "GET /x HTTP/1.1" }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  {
    name: "a body as long as the limit",
    send: withLength("POST", "/small/x", "0123456789"),
    reaches: [{ line: "POST /x HTTP/1.1", body: "0123456789" }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  {
    name: "a chunked body as long as the limit",
    send: chunked("POST", "/small/x", "0123456789"),
    reaches: [{ line: "POST /x HTTP/1.1", body: "0123456789", has: { "transfer-encoding": "chunked" } }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  {
    ...refused(
      "a short body over the limit, which is all there",
      withLength("POST", "/small/x", "0123456789a"),
      413,
      "body-too-large",
    ),
    staysOpen: true,
  },
  refused(
    "a body over the limit that does not come",
    head("POST", "/small/x", "Content-Length: 11"),
    413,
    "body-too-large",
  ),
  refused("a body far over the limit", withLength("POST", "/small/x", large), 413, "body-too-large"),
  refused(
    "a refused path with a body that does not come",
    head("POST", "/api/..", "Content-Length: 5"),
    400,
    "path-dot-segment",
  ),
  refused(
    "a refused path with chunks that do not come",
    head("POST", "/api/..", "Transfer-Encoding: chunked"),
    400,
    "path-dot-segment",
  ),
  {
    ...refused(
      "a refused path with a body that is there",
      withLength("POST", "/api/..", "ab"),
      400,
      "path-dot-segment",
    ),
    staysOpen: true,
  },
  {
    name: "a refused request, then a good one",
    send: get("/api/..") + get("/api/x"),
    reaches: [{ line: "GET /x HTTP/1.1" }],
    gets: [{ status: 400, code: "path-dot-segment" }, { status: 200 }],
    staysOpen: true,
  },
  {
    name: "a refused request with a body, then a good one",
    send: withLength("POST", "/api/..", "GET /admin/x HTTP/1.1\r\n\r\n") + get("/api/x"),
    reaches: [{ line: "GET /x HTTP/1.1" }],
    gets: [{ status: 400, code: "path-dot-segment" }, { status: 200 }],
    staysOpen: true,
  },
  {
    name: "an unmatched request with a body, then a good one",
    send: withLength("POST", "/nowhere", "GET /admin/x HTTP/1.1\r\n\r\n") + get("/api/x"),
    reaches: [{ line: "GET /x HTTP/1.1" }],
    gets: [{ status: 404 }, { status: 200 }],
    staysOpen: true,
  },
  {
    name: "an answer before the body is there: the body does not become a request",
    send: `${head("POST", "/lean/x", "Content-Length: 36", `X-A: ${"a".repeat(200)}`)}GET /api/smuggled HTTP/1.1\r\nHost: x\r\n\r\n`.slice(
      0,
      -4,
    ),
    gets: [{ status: 431, code: "header-too-large" }],
  },
  {
    name: "a body on a ws route is a body",
    send: withLength("POST", "/socket/x", "ab"),
    reaches: [{ line: "POST /x HTTP/1.1", body: "ab" }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  {
    name: "an upload in a coding passes as it is",
    send: withLength("POST", "/api/x", "\u001f\u008b\u0000", "Content-Encoding: gzip"),
    upstream: answer("201 Created", ["Content-Length: 0"]),
    reaches: [{ line: "POST /x HTTP/1.1", body: "\u001f\u008b\u0000", has: { "content-encoding": "gzip" } }],
    gets: [{ status: 201, body: "" }],
    staysOpen: true,
  },
];

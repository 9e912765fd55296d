import { answer, type ConformanceCase, forwarded, get, head, refused } from "../conformance-case.ts";

const unmatched = (name: string, send: string): ConformanceCase => ({ name, send, gets: [{ status: 404, body: "unmatched" }], staysOpen: true });

/** Forms of request targets, and hosts. */
export const targetCases: readonly ConformanceCase[] = [
  forwarded("absolute-form is used by its path and query", get("http://gw.example/api/x?a=1"), "/x?a=1"),
  forwarded("absolute-form with a host in capitals", get("http://GW.example/api/x"), "/x"),
  forwarded("absolute-form with https", get("https://gw.example/api/x"), "/x"),
  refused("absolute-form with another host", get("http://evil.example/api/x"), 400, "host-mismatch"),
  refused("absolute-form with another port", get("http://gw.example:81/api/x"), 400, "host-mismatch"),
  refused("absolute-form with user information", get("http://gw.example@evil.example/api/x"), 400, "host-mismatch"),
  refused("absolute-form with our name as user information", get("http://user@gw.example/api/x"), 400, "host-mismatch"),
  unmatched("absolute-form without a path", get("http://gw.example")),
  unmatched("authority-form", head("GET", "gw.example:80")),
  unmatched("asterisk-form", head("OPTIONS", "*")),
  unmatched("a target that begins with two slashes is a path", get("//evil.example/api/x")),
  unmatched("a target that begins with three slashes", get("///api/x")),
  unmatched("a target with @ in its first segment", get("/@evil.example/api")),
  unmatched("a target without a slash", get("api/x")),
  unmatched("a question mark alone", get("?/api/x")),
  forwarded("two slashes behind the route's own path stay", get("/api//evil.example/x"), "//evil.example/x"),
  forwarded("@ in a path is an ordinary character", get("/api/@evil.example/x"), "/@evil.example/x"),
  forwarded("a URL as a path stays one", get("/api/http://evil.example/"), "/http://evil.example/"),
  forwarded("a colon in a path", get("/api/a:80"), "/a:80"),
  refused("a raw # in the path", get("/api/a#b"), 400, "path-fragment"),
  refused("two Host headers", get("/api/x", "Host: evil.example"), 400, "host-invalid"),
  refused("two equal Host headers", get("/api/x", "Host: gw.example"), 400, "host-invalid"),
  ...["evil.example/x", "a b", "a@b", "a,b c", "a:x", "a:99999", "[::1", "::1", "a\\b", "a?b", "a#b", "<a>", "a/", "http://a"].map((host) =>
    refused(`Host ${JSON.stringify(host)} is ill-formed`, `GET /api/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 400, "host-invalid"),
  ),
  ...["gw.example:8080", "[::1]:80", "127.0.0.1", "GW.EXAMPLE", "a_b.example", "gw.example."].map((host) =>
    forwarded(`Host ${host} is well-formed`, `GET /api/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`, "/x"),
  ),
  refused("a URL over 8 KiB", get(`/api/${"a".repeat(8_200)}`), 414, "url-too-long"),
  forwarded("a URL just below 8 KiB", get(`/api/${"a".repeat(8_000)}`), `/${"a".repeat(8_000)}`),
  refused("a URL over the route's own limit", get(`/lean/${"a".repeat(40)}`), 414, "url-too-long"),
  refused("headers over the route's own limit", get("/lean/x", `X-A: ${"a".repeat(200)}`), 431, "header-too-large"),
  { name: "headers over the server's limit", send: get("/api/x", `X-A: ${"a".repeat(65_536)}`), gets: [{ status: 431 }] },
  unmatched("CONNECT is never matched by a route for every method", head("TRACE", "/api/x")),
  {
    name: "a method of WebDAV passes a route for every method",
    send: head("PROPFIND", "/api/x"),
    reaches: [{ line: "PROPFIND /x HTTP/1.1" }],
    gets: [{ status: 207, body: "<a/>" }],
    upstream: answer("207 Multi-Status", ["Content-Length: 4"], "<a/>"),
    staysOpen: true,
  },
  {
    name: "the route's downstream method replaces the client's",
    send: get("/as-post/x"),
    reaches: [{ line: "POST /x HTTP/1.1" }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
];

import { answer, type ConformanceCase, forwarded, get, head, refused, withLength } from "../conformance-case.ts";

const smuggled = "GET /admin/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

/** What other gateways, proxies and servers of this kind fell for. */
export const knownVulnerabilityCases: readonly ConformanceCase[] = [
  {
    name: "CVE-2024-21536 (http-proxy-middleware): a path that its filter cannot read ends no process",
    send: get("/api//x"),
    reaches: [{ line: "GET //x HTTP/1.1" }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  {
    name: "http-proxy-middleware 4: a Trailer header without chunks ends no process",
    send: get("/api/x", "Trailer: Expires"),
    reaches: [{ line: "GET /x HTTP/1.1", lacks: ["trailer"] }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  {
    name: "CVE-2022-31813 (Apache): Connection cannot take X-Forwarded-For off",
    send: get("/api/x", "Connection: X-Forwarded-For, X-Forwarded-Host"),
    reaches: [{ line: "GET /x HTTP/1.1", has: { "x-forwarded-for": "127.0.0.1", "x-forwarded-host": "gw.example" } }],
    gets: [{ status: 200 }],
  },
  {
    name: "CVE-2016-5385 to 5388 (httpoxy): no Proxy header that CGI would read as HTTP_PROXY",
    send: get("/api/x", "Proxy: http://evil.example:3128", "Proxies: 2"),
    reaches: [{ line: "GET /x HTTP/1.1", lacks: ["proxy"], has: { proxies: "2" } }],
    gets: [{ status: 200 }],
  },
  refused(
    "CVE-2023-25690 (Apache): a decoded line break does not split the forwarded request",
    get("/weather/x%20HTTP/1.1%0d%0aHost:%20y%0d%0a%0d%0aGET%20/z"),
    400,
    "path-control-character",
  ),
  refused("CVE-2021-41773 (Apache): /.%2e/", get("/api/.%2e/.%2e/etc/passwd"), 400, "path-dot-segment"),
  refused("CVE-2021-42013 (Apache): /.%%32%65/", get("/api/.%%32%65/etc/passwd"), 400, "path-escape"),
  refused("CVE-2020-5902 (F5): /..;/", get("/api/..;/admin"), 400, "path-dot-segment"),
  refused(
    "CVE-2018-1271 (Spring): /%255c..%255c/ decoded once",
    get("/api/%5c..%5c..%5cwindows"),
    400,
    "path-dot-segment",
  ),
  refused(
    "CVE-2017-7657 (Jetty): a chunk size that overflows",
    `${head("POST", "/api/x", "Transfer-Encoding: chunked")}100000005\r\nhello\r\n0\r\n\r\n${smuggled}`.replace(
      "100000005",
      "10000000000000005",
    ),
    400,
  ),
  refused(
    "CVE-2017-7658 (Jetty): two lengths",
    head("POST", "/api/x", "Content-Length: 6", "Content-Length: 5") + smuggled,
    400,
  ),
  refused(
    "CVE-2019-18277 (HAProxy): a vertical tab before chunked",
    head("POST", "/api/x", "Content-Length: 6", "Transfer-Encoding:\u000bchunked") + smuggled,
    400,
  ),
  {
    name: "CVE-2021-40346 (HAProxy): a header name whose length overflows",
    send: withLength("POST", "/api/x", smuggled, `Content-Length0${"a".repeat(255)}:`),
    reaches: [{ line: "POST /x HTTP/1.1", body: smuggled, has: { "content-length": String(smuggled.length) } }],
    gets: [{ status: 200 }],
    staysOpen: true,
  },
  refused(
    "CVE-2023-25725 (HAProxy): an empty header name",
    head("POST", "/api/x", ":", "Content-Length: 0") + smuggled,
    400,
  ),
  refused(
    "CVE-2022-32213 (Node): an unknown coding beside chunked",
    head("POST", "/api/x", "Transfer-Encoding: chunked", "Transfer-Encoding: chunkedchunked") + smuggled,
    400,
  ),
  refused(
    "CVE-2022-32214 (Node): CR alone ends no header",
    `GET /api/x HTTP/1.1\r\nHost: x\r\nX:\rTransfer-Encoding: chunked\r\n\r\n${smuggled}`,
    400,
  ),
  refused(
    "CVE-2022-32215 (Node): a coding on a folded line",
    head("POST", "/api/x", "Transfer-Encoding:", " chunked") + smuggled,
    400,
  ),
  refused(
    "CVE-2023-30589 (Node): an empty header ended by CR",
    `POST /api/x HTTP/1.1\r\nHost: x\r\nX-A:\r\rContent-Length: 5\r\n\r\n${smuggled}`,
    400,
  ),
  refused(
    "CVE-2024-22019 (Node): a chunk extension without end",
    `${head("POST", "/api/x", "Transfer-Encoding: chunked")}1;${"a".repeat(40_000)}\r\na\r\n0\r\n\r\n`,
    413,
  ),
  refused(
    "CVE-2024-27982 (Node): a length behind a blank",
    head("POST", "/api/x", " Content-Length: 40") + smuggled,
    400,
  ),
  {
    name: "CVE-2024-45296 (path-to-regexp): two placeholders in one segment are matched in linear time",
    send: get(`/dash/${"-".repeat(14_000)}`),
    gets: [{ status: 404, body: "unmatched" }],
    staysOpen: true,
  },
  {
    name: "CVE-2022-0155, CVE-2023-45143 (follow-redirects, undici): a redirect is the client's to follow, credentials go nowhere else",
    send: get("/api/x", "Authorization: Bearer t", "Cookie: a=1"),
    upstream: answer("307 Temporary Redirect", ["Location: http://127.0.0.2/", "Content-Length: 0"]),
    reaches: [{ line: "GET /x HTTP/1.1", has: { authorization: "Bearer t", cookie: "a=1" } }],
    gets: [{ status: 307, has: { location: "http://127.0.0.2/" } }],
    staysOpen: true,
  },
  forwarded(
    "CVE-2018-16487 (lodash), and all who merge objects: __proto__ is a value like others",
    get("/pair/__proto__/polluted?__proto__[x]=1"),
    "/polluted/__proto__?__proto__[x]=1",
  ),
];

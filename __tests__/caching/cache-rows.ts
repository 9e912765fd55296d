import type { OutgoingHttpHeaders } from "node:http";
import type { Asked } from "./cached-route.ts";

/** Two requests to one cached route, and whether the second is answered without asking the service. */
export type CacheRow = Readonly<{
  title: string;
  why: string;
  /** What the service answers. */
  status?: number;
  headers?: OutgoingHttpHeaders;
  body?: string;
  /** Laid over `{ TtlSeconds: 20 }`. */
  cache?: object;
  route?: object;
  first?: Asked;
  second?: Asked;
  again: boolean;
}>;

const both = (asked: Asked): Pick<CacheRow, "first" | "second"> => ({ first: asked, second: asked });
const withHeaders = (headers: OutgoingHttpHeaders) => both({ headers });
const saying = (headers: OutgoingHttpHeaders): Pick<CacheRow, "headers"> => ({ headers });
const asking = (first: OutgoingHttpHeaders, second: OutgoingHttpHeaders) => ({
  first: { headers: first },
  second: { headers: second },
});

const statuses: readonly CacheRow[] = [
  ...[200, 203, 204, 300, 301, 308, 404, 410].map((status) => ({
    title: `an answer ${status} is given again`,
    why: "it says the same to everybody",
    status,
    body: status === 204 ? "" : "answer {n}",
    again: true,
  })),
  ...[201, 202, 205, 206, 302, 303, 304, 307, 400, 401, 403, 405, 406, 409, 418, 429, 451, 500, 501, 502, 503, 504].map(
    (status) => ({
      title: `an answer ${status} is not`,
      why: "it is about this request, or this moment",
      status,
      again: false,
    }),
  ),
  {
    title: "an answer 404 is not kept where it is to be kept for no time",
    why: "ErrorTtlSeconds is its longest time",
    status: 404,
    cache: { ErrorTtlSeconds: 0 },
    again: false,
  },
];

const methods: readonly CacheRow[] = [
  { title: "HEAD is answered again", why: "it is safe", ...both({ method: "HEAD" }), again: true },
  ...["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"].map((method) => ({
    title: `${method} is not`,
    why: "it is to be done each time",
    ...both({ method }),
    again: false,
  })),
  {
    title: "GET is not answered by what HEAD got",
    why: "that had no body",
    first: { method: "HEAD" },
    second: {},
    again: false,
  },
  {
    title: "POST that is sent as GET is not answered again",
    why: "the client has not asked to read",
    route: { DownstreamHttpMethod: "GET" },
    ...both({ method: "POST" }),
    again: false,
  },
  {
    title: "GET that is sent as POST is not answered again",
    why: "the service does something each time",
    route: { DownstreamHttpMethod: "POST" },
    again: false,
  },
  ...[
    ...["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X-Method", "x_http_method"],
    ...["Method", "HTTP-Method", "Request-Method", "X-Request-Method"],
  ].map((name) => ({
    title: `GET with ${name} is not answered again`,
    why: "the service may take it for another method",
    ...withHeaders({ [name]: "DELETE" }),
    again: false,
  })),
  {
    title: "GET with a header that tells the very method is",
    why: "proxies do that",
    ...withHeaders({ "X-HTTP-Method": "get" }),
    again: true,
  },
  ...["X-Host", "X-Url-Scheme", "Front-End-Https", "X-Script-Name"].map((name) => ({
    title: `GET is not answered by what ${name} got`,
    why: "links in the answer may lead where it says",
    ...asking({ [name]: "evil.test" }, {}),
    again: false,
  })),
  ...["X_HTTP_Method_Override", "X.HTTP.Method.Override"].map((name) => ({
    title: `GET is not answered by what ${name} got`,
    why: "some services read it as the header that overrides",
    ...asking({ [name]: "DELETE" }, {}),
    again: false,
  })),
  {
    title: "GET with a body is not answered again",
    why: "the body may matter",
    ...both({ headers: { "Content-Length": "1" }, body: "x" }),
    again: false,
  },
  {
    title: "GET with an empty body is",
    why: "nothing of it could matter",
    ...withHeaders({ "Content-Length": "0" }),
    again: true,
  },
  {
    title: "GET with a body in chunks is not",
    why: "nobody knows how long it is",
    ...both({ headers: { "Transfer-Encoding": "chunked" }, body: "x" }),
    again: false,
  },
];

const hashing = { EnableContentHashing: true };
const posting = (body: string, headers: OutgoingHttpHeaders = {}): Asked => ({ method: "POST", body, headers });

const bodies: readonly CacheRow[] = [
  {
    title: "POST of the same body is answered again where bodies count",
    why: "it is switched on",
    cache: hashing,
    ...both(posting("one")),
    again: true,
  },
  {
    title: "POST of another body is not",
    why: "it asks something else",
    cache: hashing,
    first: posting("one"),
    second: posting("two"),
    again: false,
  },
  {
    title: "POST with If-None-Match is not",
    why: "the service has to judge whether it may do its work",
    cache: hashing,
    first: posting("one"),
    second: posting("one", { "If-None-Match": "*" }),
    again: false,
  },
  {
    title: "POST with If-Modified-Since is not",
    why: "the service has to judge whether it may do its work",
    cache: hashing,
    first: posting("one"),
    second: posting("one", { "If-Modified-Since": "Wed, 21 Oct 2100 07:28:00 GMT" }),
    again: false,
  },
  {
    title: "POST of the same bytes as another type is not",
    why: "they mean something else",
    cache: hashing,
    first: posting("1", { "Content-Type": "text/plain" }),
    second: posting("1", { "Content-Type": "text/html" }),
    again: false,
  },
  {
    title: "POST of the same bytes in another coding is not",
    why: "they mean something else",
    cache: hashing,
    first: posting("1", { "Content-Encoding": "br" }),
    second: posting("1", { "Content-Encoding": "gzip" }),
    again: false,
  },
  ...["SOAPAction", "X-Amz-Target", "Content-Language", "Content-Location", "Prefer"].map((name) => ({
    title: `POST with another ${name} is not answered again`,
    why: "it says what is to be done with the bytes, or what they are",
    cache: hashing,
    first: posting("1", { [name]: "a" }),
    second: posting("1", { [name]: "b" }),
    again: false,
  })),
  {
    title: "POST of a part of something is never answered again",
    why: "the service puts it to the others",
    cache: hashing,
    ...both(posting("1", { "Content-Range": "bytes 0-0/2" })),
    again: false,
  },
  {
    title: "POST in chunks is answered as one with a length",
    why: "the bytes are the same",
    cache: hashing,
    first: posting("one"),
    second: posting("one", { "Transfer-Encoding": "chunked" }),
    again: true,
  },
  {
    title: "POST of exactly 64 KiB is answered again",
    why: "that is the longest that counts",
    cache: hashing,
    ...both(posting("x".repeat(65_536))),
    again: true,
  },
  {
    title: "POST of more is not",
    why: "it would have to wait in memory",
    cache: hashing,
    ...both(posting("x".repeat(65_537))),
    again: false,
  },
  {
    title: "POST of more in chunks is not",
    why: "it would have to wait in memory",
    cache: hashing,
    ...both(posting("x".repeat(70_000), { "Transfer-Encoding": "chunked" })),
    again: false,
  },
  {
    title: "PUT is not, even where bodies count",
    why: "it is to be done each time",
    cache: hashing,
    ...both({ method: "PUT", body: "x" }),
    again: false,
  },
  {
    title: "an empty POST is answered again",
    why: "it is the same",
    cache: hashing,
    ...both(posting("")),
    again: true,
  },
];

const targets: readonly CacheRow[] = [
  {
    title: "another path is asked for",
    why: "it is another thing",
    first: { path: "/x" },
    second: { path: "/y" },
    again: false,
  },
  {
    title: "a slash at the end makes another path",
    why: "services tell them apart",
    first: { path: "/x" },
    second: { path: "/x/" },
    again: false,
  },
  {
    title: "upper case makes another path",
    why: "services tell them apart",
    first: { path: "/x" },
    second: { path: "/X" },
    again: false,
  },
  {
    title: "another query is asked for",
    why: "it is another thing",
    first: { path: "/x?a=1" },
    second: { path: "/x?a=2" },
    again: false,
  },
  {
    title: "another order of a query is asked for",
    why: "services may tell them apart",
    first: { path: "/x?a=1&b=2" },
    second: { path: "/x?b=2&a=1" },
    again: false,
  },
  { title: "the same query is answered again", why: "it is the same", ...both({ path: "/x?a=1" }), again: true },
  {
    title: "an escape is another spelling",
    why: "bytes count",
    first: { path: "/a%2Fb" },
    second: { path: "/a/b" },
    again: false,
  },
  {
    title: "another Host is asked for",
    why: "the service learns of it",
    ...asking({ Host: "one.test" }, { Host: "two.test" }),
    again: false,
  },
];

const ownHeader = { Header: "X-Kind" };

const named: readonly CacheRow[] = [
  {
    title: "another value of the header is asked for",
    why: "it tells answers apart",
    cache: ownHeader,
    ...asking({ "X-Kind": "a" }, { "X-Kind": "b" }),
    again: false,
  },
  ...["X_Kind", "X.Kind"].map((name) => ({
    title: `another value of ${name} is asked for`,
    why: "some services read it as the header that is named",
    cache: { Header: "X-Kind" },
    ...asking({ [name]: "a" }, {}),
    again: false,
  })),
  {
    title: "the same value is answered again",
    why: "in whatever case its name is",
    cache: ownHeader,
    ...asking({ "X-Kind": "a" }, { "x-kind": "a" }),
    again: true,
  },
  {
    title: "another case of a value is asked for",
    why: "values are bytes",
    cache: ownHeader,
    ...asking({ "X-Kind": "a" }, { "X-Kind": "A" }),
    again: false,
  },
  {
    title: "no such header is as good as an empty one",
    why: "neither says anything",
    cache: ownHeader,
    ...asking({ "X-Kind": "" }, {}),
    again: true,
  },
  {
    title: "by default it is OC-Cache-Control",
    why: "as in Ocelot",
    ...asking({ "OC-Cache-Control": "a" }, { "OC-Cache-Control": "b" }),
    again: false,
  },
  {
    title: "an empty name is the default",
    why: "tools write it for what nobody has set",
    cache: { Header: "" },
    ...asking({ "OC-Cache-Control": "a" }, { "OC-Cache-Control": "b" }),
    again: false,
  },
  {
    title: "what a transform sets counts, and not what was sent",
    why: "the service sees nothing else",
    cache: ownHeader,
    route: { UpstreamHeaderTransform: { "X-Kind": "same" } },
    ...asking({ "X-Kind": "a" }, { "X-Kind": "b" }),
    again: true,
  },
  {
    title: "what a transform makes of another header counts as well",
    why: "it was changed since the match",
    route: { UpstreamHeaderTransform: { "X-Seen": "{RemoteIpAddress}", "X-Other": "a, z" } },
    ...asking({ "X-Other": "1a" }, { "X-Other": "2a" }),
    again: false,
  },
  {
    title: "what a transform would change counts where it finds nothing to change",
    why: "others may send what it makes of theirs",
    route: { UpstreamHeaderTransform: { "X-Other": "a, z" } },
    ...asking({ "X-Other": "1z" }, { "X-Other": "2z" }),
    again: false,
  },
  {
    title: "a header by which requests come to the route counts",
    why: "the service may answer by it, too, and claims may have to be what it says",
    route: { UpstreamHeaderTemplates: { "X-Tenant": "{tenant}" } },
    ...asking({ "X-Tenant": "red" }, { "X-Tenant": "blue" }),
    again: false,
  },
  {
    title: "whoever sends what a transform sets gets what all get",
    why: "the service sees the same",
    route: { UpstreamHeaderTransform: { "X-Kind": "same" } },
    ...asking({ "X-Kind": "same" }, {}),
    again: true,
  },
  {
    title: "other headers do not count",
    why: "no answer says that it depends on them",
    ...asking({ Accept: "text/html", "User-Agent": "a" }, { Accept: "text/css", "User-Agent": "b" }),
    again: true,
  },
];

const vary: readonly CacheRow[] = [
  {
    title: "another value of a header that Vary names is asked for",
    why: "the answer depends on it",
    ...saying({ Vary: "Accept" }),
    ...asking({ Accept: "a" }, { Accept: "b" }),
    again: false,
  },
  {
    title: "the same value is answered again",
    why: "it is the same",
    ...saying({ Vary: "Accept" }),
    ...withHeaders({ Accept: "a" }),
    again: true,
  },
  {
    title: "another value of another spelling of such a header",
    why: "some services read it as the same",
    ...saying({ Vary: "Accept-Language" }),
    ...asking({ Accept_Language: "a" }, {}),
    again: false,
  },
  {
    title: "Vary in another case, among others",
    why: "names have no case",
    ...saying({ Vary: "x-none, ACCEPT" }),
    ...asking({ Accept: "a" }, { Accept: "b" }),
    again: false,
  },
  {
    title: "Vary in several lines",
    why: "they are one list",
    ...saying({ Vary: ["X-None", "Accept"] }),
    ...asking({ Accept: "a" }, { Accept: "b" }),
    again: false,
  },
  {
    title: "Vary: * is never given again",
    why: "nobody can tell for whom it is",
    ...saying({ Vary: "*" }),
    again: false,
  },
  ...["Accept *", "Accept;*", "Accept; X-Region", "X-\u00fc"].map((value) => ({
    title: `Vary: ${value}, which is no list of names, neither`,
    why: "nobody can tell what it means",
    ...saying({ Vary: value }),
    again: false,
  })),
  ...[{ "Cache-Control": "private" }, { "Set-Cookie": "sid={n}" }, { Vary: "*" }].map((says) => ({
    title: `${Object.keys(says)[0]} that Connection names counts all the same`,
    why: "it is for all who get the answer",
    ...saying({ ...says, Connection: Object.keys(says)[0]!.toLowerCase() }),
    again: false,
  })),
  {
    title: "Vary: * among others neither",
    why: "nobody can tell for whom it is",
    ...saying({ Vary: "Accept, *" }),
    again: false,
  },
  {
    title: "a missing header is not an empty one",
    why: "services tell them apart",
    ...saying({ Vary: "Accept" }),
    ...asking({ Accept: "" }, {}),
    again: false,
  },
  {
    title: "a coded body is for those who read the coding",
    why: "the service forgot to say so",
    ...saying({ "Content-Encoding": "gzip" }),
    ...asking({ "Accept-Encoding": "gzip" }, {}),
    again: false,
  },
  {
    title: "a coded body is given to those who ask alike",
    why: "they read it",
    ...saying({ "Content-Encoding": "gzip" }),
    ...withHeaders({ "Accept-Encoding": "gzip" }),
    again: true,
  },
  {
    title: "the coding identity is none",
    why: "everybody reads it",
    ...saying({ "Content-Encoding": "identity" }),
    ...asking({ "Accept-Encoding": "gzip" }, {}),
    again: true,
  },
  {
    title: "what is allowed to one origin is not for another",
    why: "the service forgot to say so",
    ...saying({ "Access-Control-Allow-Origin": "https://a.test" }),
    ...asking({ Origin: "https://a.test" }, { Origin: "https://b.test" }),
    again: false,
  },
  {
    title: "what is allowed to all is for all",
    why: "it says so",
    ...saying({ "Access-Control-Allow-Origin": "*" }),
    ...asking({ Origin: "https://a.test" }, { Origin: "https://b.test" }),
    again: true,
  },
  {
    title: "Vary of more names than anybody compares",
    why: "it would cost more than it saves",
    ...saying({ Vary: Array.from({ length: 40 }, (_, index) => `X-${index}`).join(", ") }),
    again: false,
  },
  {
    title: "Vary of longer names than anybody compares",
    why: "it would cost more than it saves",
    ...saying({ Vary: Array.from({ length: 10 }, (_, index) => `X-${index}`.padEnd(500, "a")).join(", ") }),
    again: false,
  },
];

const forbidding: readonly CacheRow[] = [
  ...[
    "private",
    "no-store",
    "no-cache",
    "NO-STORE",
    "Private",
    "max-age=60, private",
    "max-age=0",
    "s-maxage=0",
    "max-age=00",
    'max-age="0"',
    "max-age=",
    "max-age=abc",
    "max-age=-1",
    "max-age=10, max-age=0",
    "public,max-age=60,s-maxage=0",
    'private="set-cookie"',
    'no-cache="x"',
    " no-store ",
    'ext="a, b", no-store',
    'ext="a, no-store',
    "\tno-store\t",
    "private; max-age=60",
    "no-cache; no-store; must-revalidate",
    "no-store;",
    "private max-age=60",
    "must-revalidate; max-age=0",
    "must-revalidate max-age=0",
    '"private"',
  ].map((value) => ({
    title: `Cache-Control: ${JSON.stringify(value)} forbids it`,
    why: "whoever writes that means it",
    ...saying({ "Cache-Control": value }),
    again: false,
  })),
  ...[
    "public",
    "max-age=1",
    "s-maxage=1",
    "must-revalidate",
    'ext="no-store"',
    "x-no-store",
    "immutable",
    "public; max-age=60",
    "",
  ].map((value) => ({
    title: `Cache-Control: ${JSON.stringify(value)} does not`,
    why: "TtlSeconds counts",
    ...saying({ "Cache-Control": value }),
    again: true,
  })),
  {
    title: "Cache-Control in a second line forbids it",
    why: "lines are one list",
    ...saying({ "Cache-Control": ["public", "no-store"] }),
    again: false,
  },
  { title: "Pragma: no-cache does not", why: "it is for requests", ...saying({ Pragma: "no-cache" }), again: true },
  {
    title: "Expires in the past does not",
    why: "TtlSeconds counts",
    ...saying({ Expires: "Thu, 01 Jan 1970 00:00:00 GMT" }),
    again: true,
  },
  {
    title: "Set-Cookie forbids it",
    why: "a cookie is for one client",
    ...saying({ "Set-Cookie": "sid={n}" }),
    again: false,
  },
  {
    title: "several Set-Cookie forbid it",
    why: "a cookie is for one client",
    ...saying({ "Set-Cookie": ["a=1", "b=2"] }),
    again: false,
  },
  {
    title: "Set-Cookie2 forbids it",
    why: "a cookie is for one client",
    ...saying({ "Set-Cookie2": "sid={n}" }),
    again: false,
  },
];

const credentials: readonly CacheRow[] = [
  {
    title: "a request with Authorization is asked for",
    why: "the answer may be for its user",
    ...withHeaders({ Authorization: "Basic YTpi" }),
    again: false,
  },
  {
    title: "one with a cookie",
    why: "the answer may be for its user",
    ...withHeaders({ Cookie: "sid=1" }),
    again: false,
  },
  {
    title: "one with a key",
    why: "the answer may be for its user",
    ...withHeaders({ "X-Api-Key": "k1" }),
    again: false,
  },
  {
    title: "one with a token under a name of its own",
    why: "the answer may be for its user",
    ...withHeaders({ "X-Session-Token": "t" }),
    again: false,
  },
  {
    title: "one that tells of a client's certificate",
    why: "the answer may be for its user",
    ...withHeaders({ "X-Forwarded-Client-Cert": "Hash=a" }),
    again: false,
  },
  ...["X-Session-Id", "Sid", "X_User", "X-Remote-User", "X-User-Email", "X-Ms-Client-Principal", "X-Ssl-Cert"].map(
    (name) => ({
      title: `one with ${name}`,
      why: "it tells who somebody is, or by what he is known",
      ...withHeaders({ [name]: "ann" }),
      again: false,
    }),
  ),
  ...["X-User-Agent", "X-Residence", "X-Certain"].map((name) => ({
    title: `one with ${name} is answered again`,
    why: "it tells nobody's name",
    ...withHeaders({ [name]: "ann" }),
    again: true,
  })),
  {
    title: "X-User as the header: the same one is answered again",
    why: "each user has answers of its own",
    cache: { Header: "X-User" },
    ...withHeaders({ "X-User": "ann" }),
    again: true,
  },
  {
    title: "what nobody's credentials got is not for users",
    why: "they would see the page of a stranger",
    ...asking({}, { Cookie: "sid=1" }),
    again: false,
  },
  { title: "what a user got is not for others", why: "it is his", ...asking({ Cookie: "sid=1" }, {}), again: false },
  {
    title: "Authorization as the header: the same one is answered again",
    why: "each has answers of his own",
    cache: { Header: "Authorization" },
    ...withHeaders({ Authorization: "Basic YTpi" }),
    again: true,
  },
  {
    title: "Authorization as the header: another one is not",
    why: "each has answers of his own",
    cache: { Header: "Authorization" },
    ...asking({ Authorization: "Basic YTpi" }, { Authorization: "Basic Yjpi" }),
    again: false,
  },
  {
    title: "Authorization as the header, and a cookie besides",
    why: "the cookie may matter, too",
    cache: { Header: "Authorization" },
    ...withHeaders({ Authorization: "Basic YTpi", Cookie: "a=1" }),
    again: false,
  },
  {
    title: "Cookie as the header: the same one is answered again",
    why: "each has answers of his own",
    cache: { Header: "Cookie" },
    ...withHeaders({ Cookie: "a=1" }),
    again: true,
  },
  {
    title: "Cookie as the header: another one is not",
    why: "each has answers of his own",
    cache: { Header: "cookie" },
    ...asking({ Cookie: "a=1" }, { Cookie: "a=2" }),
    again: false,
  },
  {
    title: "Vary: Cookie: the same one is answered again",
    why: "the service says by what it tells users apart",
    ...saying({ Vary: "Cookie" }),
    ...withHeaders({ Cookie: "a=1" }),
    again: true,
  },
  {
    title: "Vary: Cookie: another one is not",
    why: "the service says by what it tells users apart",
    ...saying({ Vary: "Cookie" }),
    ...asking({ Cookie: "a=1" }, { Cookie: "a=2" }),
    again: false,
  },
  {
    title: "Vary: Cookie, and Authorization besides",
    why: "that may matter, too",
    ...saying({ Vary: "Cookie" }),
    ...withHeaders({ Cookie: "a=1", Authorization: "Basic YTpi" }),
    again: false,
  },
  {
    title: "Vary: Cookie, Authorization, and both are there",
    why: "all that tells users apart is compared",
    ...saying({ Vary: "Cookie, Authorization" }),
    ...withHeaders({ Cookie: "a=1", Authorization: "Basic YTpi" }),
    again: true,
  },
  {
    title: "a credential that a transform replaces is asked for all the same",
    why: "it was the client's",
    route: { UpstreamHeaderTransform: { Authorization: "Basic c2VydmljZQ==" } },
    ...withHeaders({ Authorization: "Basic YTpi" }),
    again: false,
  },
  {
    title: "a credential that only the gateway sends is no client's",
    why: "it is the same for all",
    route: { UpstreamHeaderTransform: { Authorization: "Basic c2VydmljZQ==" } },
    again: true,
  },
];

const parts: readonly CacheRow[] = [
  { title: "a range is asked for", why: "the answer is a part", ...withHeaders({ Range: "bytes=0-1" }), again: false },
  {
    title: "the whole is not answered by what a range got",
    why: "the answer is a part",
    status: 206,
    ...saying({ "Content-Range": "bytes 0-1/10" }),
    ...asking({ Range: "bytes=0-1" }, {}),
    again: false,
  },
  {
    title: "If-Match is for the service to judge",
    why: "only it knows its states",
    ...withHeaders({ "If-Match": '"a"' }),
    again: false,
  },
  {
    title: "If-Unmodified-Since as well",
    why: "only it knows its states",
    ...withHeaders({ "If-Unmodified-Since": "Wed, 21 Oct 2015 07:28:00 GMT" }),
    again: false,
  },
  {
    title: "Cache-Control of a client nobody trusts does not count",
    why: "everybody could wear the service out",
    ...withHeaders({ "Cache-Control": "no-cache", Pragma: "no-cache" }),
    again: true,
  },
  {
    title: "no-store of a client nobody trusts does not count",
    why: "everybody could wear the service out",
    ...withHeaders({ "Cache-Control": "no-store" }),
    again: true,
  },
];

const sizes: readonly CacheRow[] = [
  {
    title: "a body of the longest length is kept",
    why: "it is allowed",
    cache: { MaxEntryBytes: 8 },
    body: "{n}2345678".slice(0, 10),
    again: true,
  },
  {
    title: "a longer one is not",
    why: "it is not allowed",
    cache: { MaxEntryBytes: 7 },
    body: "{n}2345678",
    again: false,
  },
  {
    title: "a body of more than 1 MiB is not",
    why: "that is the default",
    body: `{n}${"x".repeat(1_048_576)}`,
    again: false,
  },
  { title: "an empty body is kept", why: "it is an answer", body: "", headers: { "X-Call": "{n}" }, again: true },
  { title: "without TtlSeconds nothing is kept", why: "it is off", cache: { TtlSeconds: 0 }, again: false },
  { title: "with a negative TtlSeconds neither", why: "it is off", cache: { TtlSeconds: -1 }, again: false },
];

/** Every row, by what it is about. */
export const cacheRows: Readonly<Record<string, readonly CacheRow[]>> = {
  statuses,
  methods,
  bodies,
  targets,
  named,
  vary,
  forbidding,
  credentials,
  parts,
  sizes,
};

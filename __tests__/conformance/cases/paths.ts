import { type ConformanceCase, forwarded, get, refused } from "../conformance-case.ts";

const dotSegments = [
  "..",
  ".",
  "../x",
  "./x",
  "a/../b",
  "a/./b",
  "a/..",
  "a/.",
  "%2e%2e",
  "%2E%2E/x",
  "%2e./x",
  ".%2e/x",
  "%2e/x",
  "a/%2e%2e/b",
  "..%2fx",
  "..%2Fx",
  "a%2f..%2fb",
  "a%2f%2e%2e%2fb",
  "..\\x",
  "a\\..\\b",
  "..%5cx",
  "a%5C..%5Cb",
  "%2e%2e%5cx",
  "..;/x",
  "..;a=b/x",
  ".;/x",
  "a/..;",
  "%2e%2e;/x",
  "%2e%2e%3b/x",
  "..%3bx/y",
  "a/..;x",
  "a%2f..;/b",
  "..%3B",
] as const;

const controlCharacters = [
  "%00",
  "a%00b",
  "%0a",
  "%0D%0A",
  "a%09b",
  "%1f",
  "%7f",
  "%0d%0aSet-Cookie:x",
  "%01",
] as const;

const illFormedEscapes = ["%", "%a", "%zz", "a%2", "%%32e", "%u002e", "100%", "%g0", "%-1"] as const;

const overlong = ["%c0%ae%c0%ae/x", "%C0%AF", "%c1%9c", "%f5%80", "%ff", "%FE", "a%c0b", "%f8%80%80%80%ae"] as const;

const harmless: readonly (readonly [string, string])[] = [
  ["...", "/..."],
  [".../x", "/.../x"],
  [".well-known/openid", "/.well-known/openid"],
  ["..a", "/..a"],
  ["a..", "/a.."],
  ["a.b", "/a.b"],
  ["a..b/c", "/a..b/c"],
  ["a%5Cb", "/a%5Cb"],
  ["a%2Fb", "/a%2Fb"],
  ["%252e%252e/x", "/%252e%252e/x"],
  ["%252e", "/%252e"],
  ["%e2%82%ac", "/%e2%82%ac"],
  ["a;b=c/d", "/a;b=c/d"],
  ["a%20b", "/a%20b"],
  ["a+b", "/a+b"],
  ["a//b", "/a//b"],
  ["%3F%23", "/%3F%23"],
  ["~user", "/~user"],
  ["%7Euser", "/~user"],
  ["a%2Db%5Fc", "/a-b_c"],
  ["a'b(c)!*", "/a'b(c)!*"],
  ["{x}", "/{x}"],
  ["%7Bx%7D", "/%7Bx%7D"],
  ['a|b^c`d"e<f>', '/a|b^c`d"e<f>'],
];

/** Paths that look the same to a lock as to what it locks. */
const locked = [
  "/admin/x",
  "/ADMIN/x",
  "/%61dmin/x",
  "/adm%69n/x",
  "/%61%64%6D%69%6E/x",
  "/admin",
  "/admin/",
  "/Admin/a%2Fb",
  "/admin/x?a=/api/x",
  "/admin/x;y",
  "/admin//x",
] as const;

/** Spellings that are not the locked path: nothing forwards them under its name. */
const notLocked: readonly (readonly [string, string, number])[] = [
  ["an encoded slash", "/admin%2Fx", 404],
  ["two slashes in front", "//admin/x", 404],
  ["a path parameter", "/admin;x/y", 404],
  ["an escape of an escape", "/%2561dmin/x", 404],
];

/** Attacks in the path. */
export const pathCases: readonly ConformanceCase[] = [
  ...dotSegments.map((path) => refused(`dot segment: ${path}`, get(`/api/${path}`), 400, "path-dot-segment")),
  refused("a dot segment that would lead out of the route", get("/api/../admin/x"), 400, "path-dot-segment"),
  ...controlCharacters.map((path) =>
    refused(`control character: ${path}`, get(`/api/${path}`), 400, "path-control-character"),
  ),
  ...illFormedEscapes.map((path) => refused(`ill-formed escape: ${path}`, get(`/api/${path}`), 400, "path-escape")),
  ...overlong.map((path) => refused(`overlong or never UTF-8: ${path}`, get(`/api/${path}`), 400, "path-escape")),
  ...harmless.map(([path, target]) => forwarded(`harmless: ${path}`, get(`/api/${path}`), target)),
  ...locked.map((path) => refused(`a locked route is not walked around: ${path}`, get(path), 403)),
  ...notLocked.map(([name, path, status]) => refused(`a locked route with ${name}: ${path}`, get(path), status)),
  refused("raw bytes above ASCII in the path", get("/api/\u00e9"), 400),
  forwarded("dots in the query are no segments", get("/api/x?a=../../b&c=%2e%2e/"), "/x?a=../../b&c=%2e%2e/"),
  forwarded(
    "escapes in the query are not judged",
    get("/api/x?a=%&b=%zz&c=%00&d=%c0%ae"),
    "/x?a=%&b=%zz&c=%00&d=%c0%ae",
  ),
  forwarded(
    "the query stays byte for byte",
    get("/api/x?b=2&a=1&a=&flag&&c=%20+%2B;d"),
    "/x?b=2&a=1&a=&flag&&c=%20+%2B;d",
  ),
  forwarded("a query that holds question marks", get("/api/x?a?b=?c"), "/x?a?b=?c"),
];

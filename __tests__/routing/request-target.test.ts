import { expect, test } from "@jest/globals";
import { readRequestTarget } from "../../src/urls/request-target.ts";

test.each<[url: string, path: string, query: string | undefined, authority: string | undefined, reason: string]>([
  ["/", "/", undefined, undefined, "origin-form"],
  ["/a?b=c", "/a", "b=c", undefined, "with a query"],
  ["/a?", "/a", "", undefined, "with an empty query"],
  ["/a?b?c", "/a", "b?c", undefined, "the first question mark counts"],
  ["/?x", "/", "x", undefined, "what Express leaves of /gw?x below the mount path /gw"],
  ["//evil.example/a", "//evil.example/a", undefined, undefined, "two slashes begin a path"],
  ["/a#b?c", "/a#b", "c", undefined, "a fragment is not cut off, but judged later"],
  ["/http://h/a", "/http://h/a", undefined, undefined, "a URL inside a path"],
  ["http://h/a?b", "/a", "b", "h", "absolute-form"],
  ["HTTPS://H:443/a", "/a", undefined, "H:443", "in any case"],
  ["http://h", "/", undefined, "h", "without a path"],
  ["http://h?b", "/", "b", "h", "without a path, with a query"],
  ["http://h//a", "//a", undefined, "h", "with a path of two slashes"],
  ["http://h#a", "/#a", undefined, "h", "a fragment is no part of the host"],
])("%s: %s ? %s of %s (%s)", (url, path, query, authority) => {
  expect(readRequestTarget(url)).toEqual({ path, query, authority });
});

test.each<[url: string, reason: string]>([
  ["*", "asterisk-form"],
  ["h:443", "authority-form"],
  ["javascript://h/a", "a scheme behind which others read another path"],
  ["ftp://h/a", "a scheme that is not ours"],
  ["", "nothing"],
])("%j names no path (%s)", (url) => {
  expect(readRequestTarget(url)).toBeUndefined();
});

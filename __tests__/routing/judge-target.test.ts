import { describe, expect, test } from "@jest/globals";
import { RequestError } from "../../src/errors.ts";
import { judgeRequestTarget } from "../../src/admission/judge-request-target.ts";
import { readRequestTarget } from "../../src/urls/request-target.ts";

function judge(url: string, ...hosts: string[]): string | undefined {
  const rawHeaders = ["Accept", "*/*", ...hosts.flatMap((host) => ["Host", host])];
  const refusal = judgeRequestTarget(readRequestTarget(url)!, rawHeaders);
  if (refusal !== undefined) expect(refusal).toMatchObject({ status: 400, name: RequestError.name });
  return refusal?.code;
}

describe("the target of a matched request is refused", () => {
  test.each<[url: string, code: string, reason: string]>([
    ["/a/../b", "path-dot-segment", "leads elsewhere"],
    ["/..", "path-dot-segment", "at the end"],
    ["/./a", "path-dot-segment", "a single dot"],
    ["/a/%2e%2E/b", "path-dot-segment", "percent-encoded"],
    ["/a/.%2e", "path-dot-segment", "half encoded"],
    ["/a%2F..%2fb", "path-dot-segment", "between encoded slashes"],
    ["/a\\..\\b", "path-dot-segment", "between backslashes"],
    ["/a%5c..%5Cb", "path-dot-segment", "between encoded backslashes"],
    ["/a/..;x=1/b", "path-dot-segment", "with path parameters, as servlet containers cut them off"],
    ["/a/..%3bx", "path-dot-segment", "with an encoded semicolon"],
    ["/..;", "path-dot-segment", "with nothing behind the semicolon"],
    ["//../a", "path-dot-segment", "after an empty segment"],
    ["http://h/../a", "path-dot-segment", "in absolute-form"],
    ["/a%00", "path-control-character", "the first control character"],
    ["/a%1Fb", "path-control-character", "the last one"],
    ["/%0d%0aX:%20y", "path-control-character", "line ends"],
    ["/%7f", "path-control-character", "DEL"],
    ["/a\tb", "path-control-character", "raw"],
    ["/a%", "path-escape", "a percent sign alone"],
    ["/a%2", "path-escape", "a percent sign and one digit"],
    ["/a%zz", "path-escape", "a percent sign and no digits"],
    ["/%u002e", "path-escape", "an escape of another kind"],
    ["/%c0%ae", "path-escape", "an overlong dot"],
    ["/%C1%81", "path-escape", "an overlong letter"],
    ["/%f5", "path-escape", "a byte that begins nothing"],
    ["/%FF", "path-escape", "a byte that begins nothing"],
    ["/a#b", "path-fragment", "a raw fragment"],
    ["/a?b\u0001", "query-control-character", "a raw control character in the query"],
    ["/a?b\u007f", "query-control-character", "DEL in the query"],
  ])("%j: %s (%s)", (url, code) => {
    expect(judge(url, "h")).toBe(code);
  });
});

describe("the target of a matched request passes", () => {
  test.each<[url: string, reason: string]>([
    ["/", "the root"],
    ["/...", "three dots are a name"],
    ["/a.b/..c/d..", "dots beside letters are a name"],
    ["/.well-known/x", "a name that begins with a dot"],
    ["/a%5Cb", "an encoded backslash alone"],
    ["/a%252e%252e/b", "encoded twice: nobody decodes twice"],
    ["/a;x=../b", "dots behind a semicolon"],
    ["/a%2Fb", "an encoded slash"],
    ["/%C3%A9/%20/%F4", "other bytes"],
    ["//a//b", "empty segments"],
    ["/a?x=../..&y=%00&z=%&#", "the query is not judged but for raw control characters"],
  ])("%s (%s)", (url) => {
    expect(judge(url, "h")).toBeUndefined();
  });
});

describe("the Host of a matched request", () => {
  test.each<[url: string, hosts: string[], code: string | undefined, reason: string]>([
    ["/", ["shop.example"], undefined, "a name"],
    ["/", ["shop.example:8080"], undefined, "with a port"],
    ["/", ["127.0.0.1:80"], undefined, "an address"],
    ["/", ["[::1]:8080"], undefined, "an IPv6 address"],
    ["/", ["my_service"], undefined, "an underscore, as in container networks"],
    ["/", [], undefined, "none at all, as in HTTP/1.0"],
    ["/", [""], undefined, "an empty one is well-formed"],
    ["/", ["a", "b"], "host-invalid", "two"],
    ["/", ["a", "a"], "host-invalid", "two, though equal"],
    ["/", ["a b"], "host-invalid", "a blank"],
    ["/", ["a/b"], "host-invalid", "a slash"],
    ["/", ["user@a"], "host-invalid", "a user"],
    ["/", ["a:b"], "host-invalid", "no port"],
    ["/", ["a:65536"], "host-invalid", "a port that is too large"],
    ["/", [":80"], "host-invalid", "no name"],
    ["/", ["::1"], "host-invalid", "an IPv6 address without brackets"],
    ["/", ["[::g]"], "host-invalid", "brackets around something else"],
    ["http://shop.example/", ["Shop.Example"], undefined, "the host of absolute-form, without case"],
    ["http://shop.example:80/", ["shop.example:80"], undefined, "with its port"],
    ["http://shop.example/", ["evil.example"], "host-mismatch", "another host"],
    ["http://shop.example:81/", ["shop.example"], "host-mismatch", "another port"],
    ["http://user@shop.example/", ["shop.example"], "host-mismatch", "a user before the host"],
    ["http://shop.example/", [], "host-mismatch", "none to compare with"],
    ["http://h;x/", ["h;x"], "host-invalid", "a character behind which some read a path"],
    ["http://h'x/", ["h'x"], "host-invalid", "another one"],
    ["http://h%41x/", ["h%41x"], "host-invalid", "an escape"],
    ["http:///a", [""], "host-invalid", "no host"],
    ["//evil.example/", ["shop.example"], undefined, "two slashes begin a path, not a host"],
  ])("%s, %j: %s (%s)", (url, hosts, code) => {
    expect(judge(url, ...hosts)).toBe(code);
  });
});

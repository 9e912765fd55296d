import { describe, expect, test } from "@jest/globals";
import { createRouteIndex, type MatchTarget } from "../../src/routing/index/route-index.ts";
import { defineRoutes, type PlainRoute } from "./linear-scan.ts";

type Values = Record<string, string>;

function find(
  routes: readonly PlainRoute[],
  target: Partial<MatchTarget>,
): { route: number; values: Values } | undefined {
  const request = { method: "GET", path: "/", query: undefined, host: "localhost", headers: {}, ...target };
  const match = createRouteIndex(defineRoutes(routes)).find(request);
  return match && { route: match.value, values: { ...match.placeholders } };
}

describe("a path belongs to a template", () => {
  test.each<[template: string, path: string, values: Values | undefined, reason: string]>([
    ["/", "/", {}, "only the root is the root"],
    ["/", "/a", undefined, "only the root is the root"],
    ["/orders", "/orders", {}, "literal text is itself"],
    ["/orders", "/ORDERS", {}, "literals ignore case"],
    ["/orders", "/orders/", undefined, "no other template accepts an extra slash at the end"],
    ["/orders", "/orders/1", undefined, "nothing may follow a literal"],
    ["/orders", "/order", undefined, "nothing may be missing of a literal"],
    ["/a.c", "/abc", undefined, "a dot is a dot"],
    ["/a(b)*$^[x]|\\d", "/a(b)*$^[x]|\\d", {}, "literal text has no special characters"],
    ["/two words", "/two%20words", {}, "a blank stands for its percent-encoded form"],
    ["/é", "/%C3%A9", {}, "non-ASCII text stands for its percent-encoded form"],
    ["/é", "/%c3%a9", {}, "escapes compare without case"],
    ["/admin", "/%61dmin", {}, "percent-encoded unreserved characters are decoded"],
    ["/%61dmin", "/admin", {}, "in a template too"],
    ["/admin", "/%2561dmin", undefined, "decoded once, not twice"],
    ["/a/b", "/a%2Fb", undefined, "a percent-encoded slash is no slash"],
    ["/a//b", "/a/b", undefined, "slashes are not merged"],
    ["/a/b", "//a/b", undefined, "slashes are not merged"],

    ["/{x}/end", "/v/end", { x: "v" }, "a placeholder before the last segment takes one segment"],
    ["/{x}/end", "//end", undefined, "of at least one character"],
    ["/{x}/end", "/a/b/end", undefined, "and no slash"],
    ["/{x}/end", "/a%2Fb/end", { x: "a%2Fb" }, "a percent-encoded slash stays in its value"],
    ["/{x}/{y}/end", "/1/2/end", { x: "1", y: "2" }, "each its own segment"],
    ["/v{x}/end", "/v/end", undefined, "of at least one character, also beside literals"],
    ["/v{x}/end", "/v2/end", { x: "2" }, "beside literals"],
    ["/{x}-{y}/end", "/a-b-c/end", { x: "a-b", y: "c" }, "earlier placeholders are greedy"],
    ["/{x}-{y}/end", "/a-b-/end", { x: "a", y: "b-" }, "but leave the later one a character"],
    ["/{x}{y}/end", "/abc/end", { x: "ab", y: "c" }, "also where nothing stands between them"],

    ["/files/f_{x}", "/files/f_a/b/c", { x: "a/b/c" }, "the last placeholder of the last segment takes slashes"],
    ["/files/f_{x}", "/files/f_", { x: "" }, "and nothing at all"],
    ["/files/f_{x}", "/files/", undefined, "but its literals must be there"],
    ["/files/{x}.json", "/files/a/b.json", { x: "a/b" }, "also before a literal"],
    ["/files/{x}.json", "/files/a.json/", undefined, "which then ends the path"],
    ["/{x}-{y}", "/a-b/c-d", { x: "a", y: "b/c-d" }, "an earlier one in the last segment takes no slash"],
    ["/{x}-{y}", "/a/b-c", undefined, "an earlier one in the last segment takes no slash"],
    ["/{x}-{y}", "/-", { x: "", y: "" }, "but may be empty there"],
    ["/{x}-{y}", "/a-b-c", { x: "a-b", y: "c" }, "and is greedy"],
    ["/{x}a{y}", "/%2A", undefined, "no literal is found in the middle of an escape"],
    ["/{x}2{y}", "/x%2A", undefined, "no value is cut in the middle of an escape"],

    ["/orders/{x}", "/orders", { x: "" }, "a last segment that is one placeholder is optional, with its slash"],
    ["/orders/{x}", "/orders/", { x: "" }, "an empty value"],
    ["/orders/{x}", "/orders/a/b", { x: "a/b" }, "all the rest"],
    ["/orders/{x}", "/orders/a/", { x: "a/" }, "all the rest, the last slash included"],
    ["/orders/{x}", "/ordersx", undefined, "but the rest begins with a slash"],
    ["/{x}/{y}", "/a", { x: "a", y: "" }, "after a placeholder too"],
    ["/{x}/{y}", "/", undefined, "the first is not optional"],

    ["/orders/", "/orders", {}, "a template that ends in a slash accepts the path without it"],
    ["/orders/", "/orders/", {}, "and with it"],
    ["/orders/", "/orders//", undefined, "but with one only"],
    ["/orders/{x}/", "/orders/1", { x: "1" }, "its last placeholder is one segment"],
    ["/orders/{x}/", "/orders/1/", { x: "1" }, "its last placeholder is one segment"],
    ["/orders/{x}/", "/orders/1/2", undefined, "its last placeholder is one segment"],
    ["/orders/{x}/", "/orders/", undefined, "that is not empty"],

    ["/{x}", "/", { x: "" }, "one placeholder alone takes every path"],
    ["/{x}", "//evil.example/a", { x: "/evil.example/a" }, "also one that begins with two slashes"],
    [
      "/{x}",
      "/%41%2f%zz%7e",
      { x: "A%2f%zz~" },
      "values are of the normalised path, and else as the client wrote them",
    ],
    ["/{__proto__}/{constructor}/end", "/a/b/end", { ["__proto__"]: "a", constructor: "b" }, "any word is a name"],
    ["/{x}/{X}/end", "/a/b/end", { x: "a", X: "b" }, "names are case-sensitive"],
  ])("%s, %s: %j (%s)", (template, path, values) => {
    expect(find([{ path: template }], { path })?.values).toEqual(values);
  });

  test.each<[template: string, path: string, matches: boolean, reason: string]>([
    ["/Orders/{x}", "/Orders/1", true, "the same text"],
    ["/Orders/{x}", "/orders/1", false, "another case"],
    ["/Orders-{x}/a", "/orders-1/a", false, "another case beside a placeholder"],
    ["/é", "/%c3%a9", true, "escapes have no case"],
    ["/%2f", "/%2F", true, "escapes have no case"],
  ])("where case matters: %s, %s: %s (%s)", (path, requested, matches) => {
    expect(find([{ path, caseSensitive: true }], { path: requested }) !== undefined).toBe(matches);
  });

  test("placeholders have no prototype, and the path is handed back normalised", () => {
    const match = createRouteIndex(defineRoutes([{ path: "/a/{x}" }])).find({
      method: "GET",
      path: "/A/%41",
      query: undefined,
      host: undefined,
      headers: {},
    })!;
    expect(Object.getPrototypeOf(match.placeholders)).toBeNull();
    expect(match.path).toBe("/A/A");
  });
});

describe("methods", () => {
  test.each<[methods: string[] | undefined, method: string, matches: boolean, reason: string]>([
    [["Get"], "GET", true, "any spelling"],
    [[" post "], "POST", true, "blanks around it"],
    [["GET"], "HEAD", false, "HEAD is not implied by GET"],
    [["GET"], "POST", false, "another one"],
    [undefined, "PATCH", true, "absent means every method"],
    [[], "PROPFIND", true, "empty means every method"],
    [[], "TRACE", false, "but TRACE"],
    [undefined, "CONNECT", false, "and CONNECT"],
    [["trace"], "TRACE", true, "which must be asked for by name"],
  ])("%j, %s: %s (%s)", (methods, method, matches) => {
    expect(find([{ path: "/a", methods }], { method, path: "/a" }) !== undefined).toBe(matches);
    // The same beside another route of the same path.
    const beside = find(
      [
        { path: "/a", methods },
        { path: "/a", methods: ["DELETE"] },
      ],
      { method, path: "/a" },
    );
    expect(beside !== undefined).toBe(matches);
  });
});

describe("of several routes that match", () => {
  test.each<[reason: string, routes: PlainRoute[], target: Partial<MatchTarget>, found: number | undefined]>([
    ["the first of the configuration wins", [{ path: "/{x}/b" }, { path: "/a/b" }], { path: "/a/b" }, 0],
    ["there is no ranking by how specific they are", [{ path: "/a/{x}" }, { path: "/a/b" }], { path: "/a/b" }, 0],
    ["a higher priority comes first", [{ path: "/a/{x}" }, { path: "/a/b", priority: 2 }], { path: "/a/b" }, 1],
    ["a lower one last", [{ path: "/a/{x}", priority: 0 }, { path: "/a/b" }], { path: "/a/b" }, 1],
    ["one placeholder alone has priority 0", [{ path: "/{x}", priority: 9 }, { path: "/a" }], { path: "/a" }, 1],
    [
      "not where a query is asked for",
      [{ path: "/{x}", query: "{q}", priority: 9 }, { path: "/a" }],
      { path: "/a" },
      0,
    ],
    ["a method that differs is passed by", [{ path: "/a", methods: ["PUT"] }, { path: "/{x}" }], { path: "/a" }, 1],
    ["nothing is found where only the method differs", [{ path: "/a", methods: ["PUT"] }], { path: "/a" }, undefined],
    ["case decides", [{ path: "/A", caseSensitive: true }, { path: "/a" }], { path: "/a" }, 1],
    [
      "order holds between routes with and without case",
      [{ path: "/a", caseSensitive: true }, { path: "/A" }],
      { path: "/a" },
      0,
    ],
    ["a dead end is left again", [{ path: "/a/{x}/c" }, { path: "/{y}/b/d" }], { path: "/a/b/d" }, 1],
    [
      "a route with a host beats all without",
      [
        { path: "/a", priority: 9 },
        { path: "/{x}", host: "h" },
      ],
      { path: "/a", host: "h" },
      1,
    ],
    ["if it matches", [{ path: "/a" }, { path: "/b", host: "h" }], { path: "/a", host: "h" }, 0],
    [
      "among those with a host, order holds",
      [
        { path: "/a", host: "h" },
        { path: "/a", host: "h:81" },
      ],
      { path: "/a", host: "h:81" },
      0,
    ],
  ])("%s", (_reason, routes, target, found) => {
    expect(find(routes, target)?.route).toBe(found);
  });
});

describe("hosts", () => {
  test.each<[wanted: string, host: string | undefined, matches: boolean, reason: string]>([
    ["shop.example", "shop.example", true, "the same"],
    ["Shop.Example", "shop.EXAMPLE", true, "without case"],
    ["shop.example", "shop.example:8080", true, "the port only counts if it is asked for"],
    ["shop.example:8080", "shop.example:8080", true, "the same port"],
    ["shop.example:8080", "shop.example:81", false, "another port"],
    ["shop.example:80", "shop.example", false, "a port that is asked for must be there"],
    ["[::1]", "[::1]:8080", true, "the colons of an address are no port"],
    ["[::1]", "[::1]", true, "the colons of an address are no port"],
    ["shop.example", "example", false, "another host"],
    ["shop.example", undefined, false, "no host"],
  ])("%s, %s: %s (%s)", (wanted, host, matches) => {
    expect(find([{ path: "/a", host: wanted }], { path: "/a", host }) !== undefined).toBe(matches);
  });
});

describe("header templates", () => {
  const oneHeader = (template: string) => ({ "X-Kind": template });
  test.each<[templates: Values, headers: Values, values: Values | undefined, reason: string]>([
    [oneHeader("a"), { "x-kind": "a" }, {}, "a literal is itself"],
    [oneHeader("a"), { "x-kind": "A" }, {}, "without case"],
    [oneHeader("a.c"), { "x-kind": "abc" }, undefined, "literals are literal"],
    [oneHeader("a"), { "x-kind": "ab" }, undefined, "the whole value counts"],
    [oneHeader("a"), {}, undefined, "it must be there"],
    [oneHeader("{v}"), { "x-kind": "A b" }, { v: "A b" }, "a placeholder takes it"],
    [oneHeader("{v}"), { "x-kind": "" }, undefined, "if there is anything to take"],
    [oneHeader("{a}-{b};q"), { "x-kind": "1-2-3;Q" }, { a: "1-2", b: "3" }, "beside literals, greedily"],
    [{ "X-One": "1", "X-Two": "{b}" }, { "x-one": "1", "x-two": "2" }, { b: "2" }, "all of them"],
    [{ "X-One": "1", "X-Two": "{b}" }, { "x-two": "2" }, undefined, "all of them"],
  ])("%j, %j: %j (%s)", (templates, headers, values) => {
    expect(find([{ path: "/a", headers: templates }], { path: "/a", headers })?.values).toEqual(values);
  });

  test("compare with case where the route does", () => {
    const routes = [{ path: "/a", headers: { "X-Kind": "v{n}" }, caseSensitive: true }];
    expect(find(routes, { path: "/a", headers: { "x-kind": "V1" } })).toBeUndefined();
    expect(find(routes, { path: "/a", headers: { "x-kind": "v1" } })?.values).toEqual({ n: "1" });
  });
});

describe("query templates", () => {
  test.each<[template: string, query: string | undefined, values: Values | undefined, reason: string]>([
    ["id={id}", "id=5", { id: "5" }, "a placeholder takes the value"],
    ["id={id}", "a=1&id=5&b", { id: "5" }, "others may stand around it"],
    ["id={id}", undefined, undefined, "it must be there"],
    ["id={id}", "", undefined, "it must be there"],
    ["id={id}", "ID=5", undefined, "names compare exactly"],
    ["id={id}", "%69d=5", { id: "5" }, "form-decoded"],
    ["a b={v}", "a+b=1", { v: "1" }, "form-decoded"],
    ["id={id}", "id", { id: "" }, "without a value it has an empty one"],
    ["id={id}", "id=1&id=2", { id: "1" }, "of a repeated one the first"],
    ["id={id}", "id=%41+b=c%2f", { id: "%41+b=c%2f" }, "every byte of the value stays"],
    ["kind=x&id={id}", "id=5&kind=x", { id: "5" }, "in any order"],
    ["kind=x", "kind=X", {}, "literal values ignore case"],
    ["kind=x y", "kind=%78+y", {}, "and are form-decoded"],
    ["kind=x", "kind=y", undefined, "and must be equal"],
    ["kind=x", "kind=y&kind=x", undefined, "the first of a repeated one counts"],
    ["flag", "flag", {}, "without a value"],
    ["flag", "flag=1", undefined, "an empty value is a value"],
    ["v=a-{v}.json", "v=A-%2e%2E.json", { v: "%2e%2E" }, "literals and placeholders in one value"],
    ["v=é{v}", "v=%c3%A9+b", { v: "+b" }, "literals form-decoded, the value as it came"],
    ["{rest}", "a=1&b=%20", { rest: "a=1&b=%20" }, "the whole query"],
    ["{rest}", undefined, { rest: "" }, "or none"],
    ["{rest}", "", { rest: "" }, "or an empty one"],
  ])("?%s, ?%s: %j (%s)", (template, query, values) => {
    expect(find([{ path: "/a", query: template }], { path: "/a", query })?.values).toEqual(values);
  });

  test("values compare with case where the route does", () => {
    expect(
      find([{ path: "/a", query: "kind=x", caseSensitive: true }], { path: "/a", query: "kind=X" }),
    ).toBeUndefined();
  });

  test("path, query and header placeholders come together", () => {
    const routes = [{ path: "/{a}/b", query: "c={c}", headers: { "X-D": "{d}" } }];
    const target = { path: "/1/b", query: "c=2", headers: { "x-d": "3" } };
    expect(find(routes, target)?.values).toEqual({ a: "1", c: "2", d: "3" });
  });
});

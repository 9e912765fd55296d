import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createRouteIndex } from "../../src/routing/index/route-index.ts";
import { createResolvePath } from "../../src/forwarding/resolve-path.ts";
import { parseUpstreamTemplate } from "../../src/templates/upstream-template.ts";
import { isLong } from "../fuzz/bounds.ts";

const runs = { seed: 20_261_120, numRuns: isLong ? 500 : 250 };

// What a client can put into a request line: visible ASCII, and bytes that Node hands over as one character each.
const clientCharacter = fc.oneof(
  fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom("%2F", "%3F", "%23", "%26", "%3D", "%2B", "%25", "%7B", "{x}", "..", "%zz"),
);
const textOf = (character: fc.Arbitrary<string>, without: RegExp) =>
  fc.array(character, { minLength: 1, maxLength: 12 }).map((characters) => characters.join("").replace(without, ""));
const segment = textOf(clientCharacter, /[/?#]/g).filter((text) => text !== "");
const queryValue = textOf(clientCharacter, /[&#]/g);
const headerValue = textOf(clientCharacter, /^\s+|\s+$/g).filter((text) => text !== "");
const assignedValue = fc.string({ unit: "grapheme", maxLength: 12 });

type Filled = { path: string; query: string | undefined };

function fill(
  upstream: string,
  downstream: string,
  request: { path: string; query?: string; headers?: Record<string, string> },
  assign = {},
): Filled {
  const headerTemplates = Object.fromEntries(Object.keys(request.headers ?? {}).map((name) => [name, "{value}"]));
  const template = parseUpstreamTemplate(upstream, headerTemplates);
  const index = createRouteIndex([
    { value: 0, template, methods: undefined, host: undefined, caseSensitive: false, priority: 1 },
  ]);
  const { path, query, headers = {} } = request;
  const match = index.find({ method: "GET", path, query, host: "h", headers });
  if (match === undefined) throw new Error(`No match: ${JSON.stringify(request)}`);
  const resolve = createResolvePath({
    pathTemplate: downstream,
    serviceName: undefined,
    upstream: template,
    allowNameParameter: false,
    clientParameters: undefined,
  });
  const current = { ...match.placeholders, ...assign };
  const [filled = "", ...rest] = resolve({
    values: { captured: match.placeholders, current },
    path: match.path,
    query,
  }).path.split("?");
  return { path: filled, query: rest.length === 0 ? undefined : rest.join("?") };
}

const parametersOf = (query: string | undefined) => [...new URLSearchParams(query)];
const inPlaceOf = (path: string) => path.split("/");

describe("no value can leave its place", () => {
  test("a path value stays in its segment", () => {
    fc.assert(
      fc.property(segment, (value) => {
        const { path, query } = fill("/a/{value}/b", "/x/{value}/y", { path: `/a/${value}/b` });
        expect(inPlaceOf(path)).toHaveLength(4);
        expect([path.startsWith("/x/"), path.endsWith("/y"), query]).toEqual([true, true, undefined]);
      }),
      runs,
    );
  });

  test("a path value in a query is one parameter and means the same there", () => {
    fc.assert(
      fc.property(segment, (value) => {
        const { query } = fill("/a/{value}/b", "/x?own={value}&other=1", { path: `/a/${value}/b` });
        const [own, other, ...more] = parametersOf(query);
        expect([own?.[0], other, more]).toEqual(["own", ["other", "1"], []]);
        expect(query).not.toMatch(/[#; ]/);
      }),
      runs,
    );
  });

  test("a query value in a path is one segment", () => {
    fc.assert(
      fc.property(queryValue, (value) => {
        const { path, query } = fill("/a?value={value}", "/x/{value}/y", { path: "/a", query: `value=${value}` });
        expect(inPlaceOf(path)).toHaveLength(4);
        expect(path).toMatch(/^\/x\/(?:[\w.~!$&'()*,;=:@-]|%[\dA-Fa-f]{2})*\/y$/);
        expect(query).toBeUndefined();
      }),
      runs,
    );
  });

  test.each([
    ["/x/{value}/y", /^\/x\/(?:[\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})*\/y$/],
    ["/x?own={value}&other=1", /^own=(?:[\w.~-]|%[\dA-Fa-f]{2})*&other=1$/],
  ])("a header value in %s", (downstream, expected) => {
    fc.assert(
      fc.property(headerValue, (value) => {
        const { path, query } = fill("/a", downstream, { path: "/a", headers: { "x-value": value } });
        expect(query ?? path).toMatch(expected);
      }),
      runs,
    );
  });

  test.each([
    ["/x/{value}/y", /^\/x\/(?:[\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})*\/y$/],
    ["/x?own={value}&other=1", /^own=(?:[\w.~-]|%[\dA-Fa-f]{2})*&other=1$/],
  ])("a value that middleware sets in %s", (downstream, expected) => {
    fc.assert(
      fc.property(assignedValue, (value) => {
        const { path, query } = fill("/a/{value}/b", downstream, { path: "/a/1/b" }, { value: `${value}/?#&` });
        expect(query ?? path).toMatch(expected);
      }),
      runs,
    );
  });

  test("only the last placeholder spans segments", () => {
    fc.assert(
      fc.property(segment, fc.array(segment, { maxLength: 4 }), (first, rest) => {
        const { path } = fill("/a/{first}/{rest}", "/x/{first}/y/{rest}", { path: `/a/${first}/${rest.join("/")}z` });
        expect(inPlaceOf(path)[3]).toBe("y");
      }),
      runs,
    );
  });
});

describe("values survive match and fill", () => {
  test("byte for byte where they stay in their component, but for escaped unreserved characters", () => {
    const plain = fc
      .stringMatching(/^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%2F|%25|%C3%A9){1,10}$/)
      .filter((text) => !/^\.+$/.test(text));
    fc.assert(
      fc.property(plain, plain, plain, (first, second, third) => {
        const { path } = fill("/a/{first}/b/{second}/{third}", "/{third}/x/{first}/{second}", {
          path: `/a/${first}/b/${second}/${third}`,
        });
        expect(path).toBe(`/${third}/x/${first}/${second}`);
      }),
      runs,
    );
  });

  test("a value that holds a placeholder of the route stays text", () => {
    const { path } = fill("/a/{first}/{second}", "/x/{first}/{second}", { path: "/a/{second}/{first}" });
    expect(path).toBe("/x/{second}/{first}");
  });

  test.each([
    ["a client's query is untouched", "/a", "/x", "b=1&a=+%20&flag&&e=&a=2", "b=1&a=+%20&flag&&e=&a=2"],
    ["a bare question mark may go", "/a", "/x", "", undefined],
    ["the template's parameters come first", "/a", "/x?k=v", "b=1", "k=v&b=1"],
    ["the client cannot add to a template's parameter", "/a", "/x?k=v", "K=2&k[]=3&%6B=4&k%5B0%5D=5&kk=6", "k=v&kk=6"],
    ["a captured parameter goes where it has the placeholder's name", "/a?id={id}", "/x/{id}", "id=5&b=1&id=6", "b=1"],
    [
      "a captured parameter stays where it has another name",
      "/a?userId={id}",
      "/x/{id}",
      "userId=5&b=1",
      "userId=5&b=1",
    ],
    ["the whole query goes where it is wanted", "/a?{rest}", "/x?{rest}", "b=1&&c", "b=1&&c"],
    ["an unused whole query is forwarded as any other", "/a?{rest}", "/x", "b=1", "b=1"],
    ["an empty whole query leaves no question mark", "/a?{rest}", "/x?{rest}", "", undefined],
  ])("%s", (_title, upstream, downstream, query, expected) => {
    expect(fill(upstream, downstream, { path: "/a", query }).query).toBe(expected);
  });

  test.each([
    ["/orders/{x}", "/api/{x}", "/orders", "/api"],
    ["/orders/{x}", "/api/{x}", "/orders/", "/api/"],
    ["/orders/{x}", "/api/{x}/", "/orders", "/api//"],
    ["/orders/{x}", "/{x}", "/orders", "/"],
    ["/{x}", "/{x}", "/", "/"],
  ])("%s to %s, asked %s, is %s", (upstream, downstream, path, expected) => {
    expect(fill(upstream, downstream, { path }).path).toBe(expected);
  });
});

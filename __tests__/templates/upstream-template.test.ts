import { describe, expect, test } from "@jest/globals";
import { parseUpstreamTemplate } from "../../src/templates/upstream-template.ts";

describe("the placeholders of an upstream template", () => {
  test.each<[text: string, headers: Record<string, string>, origins: Record<string, string>, last: string | undefined]>(
    [
      ["/orders", {}, {}, undefined],
      ["/{a}/x-{b}.json", {}, { a: "path", b: "path" }, "b"],
      ["/{a}?id={b}&k=v{c}", {}, { a: "path", b: "query", c: "query" }, "a"],
      ["/a?{rest}", {}, { rest: "query" }, undefined],
      ["/{a}", { "X-B": "{b}", "X-C": "c-{c}" }, { a: "path", b: "header", c: "header" }, "a"],
    ],
  )("%s with headers %j: %j, the last of the path is %s", (text, headers, origins, last) => {
    const template = parseUpstreamTemplate(text, headers);
    expect(Object.fromEntries(template.origins)).toEqual(origins);
    expect(template.lastPathPlaceholder).toBe(last);
  });
});

describe("the query of an upstream template", () => {
  test.each<[text: string, names: string[], captured: string[], wholeQuery: string | undefined, reason: string]>([
    ["/a", [], [], undefined, "none"],
    ["/a?", [], [], undefined, "an empty one"],
    ["/a?id={id}", ["id"], ["id"], undefined, "captured under its own name"],
    ["/a?userId={id}", ["userId"], [], undefined, "captured under another"],
    ["/a?id=a-{id}&kind=id", ["id", "kind"], ["id"], undefined, "captured in part; a literal captures nothing"],
    ["/a?a+b=1&%63=2", ["a b", "c"], [], undefined, "names are form-decoded"],
    ["/a?{rest}", [], [], "rest", "the whole query"],
  ])("%s lists %j, captures %j, whole: %s (%s)", (text, names, captured, wholeQuery) => {
    const template = parseUpstreamTemplate(text);
    expect(template.query.map(({ name }) => name)).toEqual(names);
    expect([...template.capturedParameters]).toEqual(captured);
    expect(template.wholeQuery).toBe(wholeQuery);
  });
});

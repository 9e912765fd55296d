import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createRouteIndex } from "../../src/routing/index/route-index.ts";
import { defineRoutes } from "./linear-scan.ts";
import { isLong } from "../fuzz/bounds.ts";

const runs = { seed: 20_250_102, numRuns: isLong ? 2_000 : 1_000 };

const literal = fc.constantFrom("a", "b-", ".c", "%C3%A9", "(d)", "e%20");
// None of these occurs in a literal, so there is one way only to read a filled template.
const value = fc
  .array(fc.constantFrom("1", "2", "%2F", "%25", "~", "!", "+", ":", "%c0", "ÿ"), { minLength: 1, maxLength: 8 })
  .map((units) => units.join(""));

/** Literals and placeholders in turn, at least one of each. */
const segment = fc.array(literal, { minLength: 1, maxLength: 3 });

test("the values that fill a template are the values that are found", () => {
  const scenario = fc.tuple(
    fc.array(segment, { minLength: 1, maxLength: 4 }),
    fc.array(value, { minLength: 12, maxLength: 12 }),
  );
  fc.assert(
    fc.property(scenario, fc.boolean(), ([segments, values], caseSensitive) => {
      const used: Record<string, string> = {};
      const parts = segments.map((literals, depth) =>
        literals.map((text, index) => {
          const name = `p${depth}_${index}`;
          used[name] = values[depth * 3 + index]!;
          return { template: `${text}{${name}}`, filled: text + used[name] };
        }),
      );
      const template = `/${parts.map((ofSegment) => ofSegment.map(({ template: text }) => text).join("")).join("/")}`;
      const path = `/${parts.map((ofSegment) => ofSegment.map(({ filled }) => filled).join("")).join("/")}`;
      const index = createRouteIndex(defineRoutes([{ path: template, caseSensitive }]));
      const match = index.find({ method: "GET", path, query: undefined, host: undefined, headers: {} });
      expect({ ...match?.placeholders }).toEqual(used);
    }),
    runs,
  );
});

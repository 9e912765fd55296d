import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createRouteIndex, type MatchTarget } from "../../src/routing/index/route-index.ts";
import { isLong } from "../fuzz/bounds.ts";
import { defineRoutes, type Found, type PlainRoute, scanRoutes } from "./linear-scan.ts";

// Five requests a run: so many have met each pair of kinds of routes often.
const runs = { seed: 20_250_101, numRuns: isLong ? 1_500 : 250 };

const literals = ["a", "A", "b", "aa", "item", "a.b", "a b", "é", "%c3%A9", "%61", "%2F", "$(x)", "~"];
const mixed = [
  "item-{1}",
  "{1}-x",
  "{1}.json",
  "{1}-{2}",
  "a{1}a{2}",
  "{1}{2}",
  "{1}-{2}-x",
  "{1}a{2}a",
  "a{1}",
  "A-{1}-b-{2}.c",
];
const segment = fc.oneof(fc.constantFrom(...literals), fc.constant("{1}"), fc.constantFrom(...mixed));

/** Gives the placeholders `{1}`, `{2}` of each segment names of their own. */
function nameApart(segments: readonly string[]): string[] {
  return segments.map((text, index) => text.replace(/\{(\d)\}/g, `{p${index}_$1}`));
}

const path = fc
  .tuple(fc.array(segment, { maxLength: 4 }), fc.boolean())
  .map(([segments, slash]) => `/${nameApart(segments).join("/")}${slash && segments.length > 0 ? "/" : ""}`);

const query = fc.constantFrom(
  "id={id}",
  "kind=x",
  "kind=Y",
  "kind=x&id={id}",
  "a%20b=c+d",
  "v=v-{v}.{w}",
  "flag",
  "{rest}",
);
const header = fc.constantFrom(
  { "X-Kind": "a" },
  { "x-kind": "B" },
  { "X-Kind": "v{h}-{k}" },
  { "X-Kind": "a", "X-Two": "{two}" },
);

/** Most routes ask for nothing of the kind. */
function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const route: fc.Arbitrary<PlainRoute> = fc.record({
  path,
  query: seldom(query),
  headers: seldom(header),
  methods: seldom(fc.subarray(["Get", " post", "TRACE", "HEAD"])),
  host: seldom(fc.constantFrom("a.example", "A.example:81", "b.example")),
  caseSensitive: fc.boolean(),
  priority: fc.integer({ min: -1, max: 3 }),
});

const value = fc.constantFrom(
  "a",
  "x",
  "A",
  "a-b",
  "a/b",
  "",
  "-",
  "aa",
  "%2f",
  "%C3%a9",
  "%41",
  "a.json",
  "b-x",
  "Item",
  "%zz",
  "ÿ",
);
const requestQuery = fc.constantFrom(
  ...[
    "",
    "id=5",
    "ID=5",
    "id=1&id=2",
    "kind=x",
    "kind=%58&id=%41+b",
    "kind=y",
    "a+b=C%20d",
    "v=V-1.2.3",
    "v=%76-%2e.",
    "flag=&flag=1",
    "x",
  ],
);

/** A request for one of the routes, more often than not: its templates filled, then perhaps spelled otherwise. */
function requestFor(routes: readonly PlainRoute[]): fc.Arbitrary<MatchTarget> {
  const filled = fc
    .tuple(fc.constantFrom(...routes), fc.array(value, { minLength: 8, maxLength: 8 }))
    .map(([{ path: template }, values]) => {
      let next = 0;
      return template
        .replace(/\{\w+\}/g, () => values[next++]!)
        .replaceAll(" ", "%20")
        .replaceAll("é", "%C3%A9");
    });
  const respell = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text,
    (text) => `${text}/`,
    (text) => text.toUpperCase(),
    (text) => text.replace("a", "%61"),
    (text) => `${text}/a`,
    (text) => text.replace(/(.)\/[^/]*$/, "$1"),
  );
  return fc.record({
    method: fc.constantFrom("GET", "GET", "POST", "TRACE", "DELETE"),
    path: fc.tuple(filled, respell).map(([text, change]) => change(text)),
    query: fc.option(requestQuery, { nil: undefined }),
    host: fc.constantFrom("a.example", "A.Example:81", "b.example:8080", "c.example", undefined),
    headers: fc.constantFrom(
      {},
      { "x-kind": "A" },
      { "x-kind": "b", "x-two": "" },
      { "x-kind": "a", "x-two": "2" },
      { "x-kind": "V1-2-3" },
    ),
  });
}

function find(routes: readonly PlainRoute[], target: MatchTarget): Found | undefined {
  const match = createRouteIndex(defineRoutes(routes)).find(target);
  return match && { route: match.value, values: { ...match.placeholders } };
}

describe("the index finds what trying one route after the other finds", () => {
  test("for any routes and requests", () => {
    const scenario = fc
      .array(route, { minLength: 1, maxLength: 12 })
      .chain((routes) => fc.tuple(fc.constant(routes), fc.array(requestFor(routes), { minLength: 1, maxLength: 5 })));
    const outcomes = { matched: 0, unmatched: 0 };
    fc.assert(
      fc.property(scenario, ([routes, requests]) => {
        for (const request of requests) {
          const expected = scanRoutes(routes, request);
          outcomes[expected === undefined ? "unmatched" : "matched"] += 1;
          expect(find(routes, request)).toEqual(expected);
        }
      }),
      runs,
    );
    // Both answers were asked for often.
    expect(Math.min(outcomes.matched, outcomes.unmatched)).toBeGreaterThan(runs.numRuns / 2);
  });

  test("where many patterns share a segment", () => {
    const patterns = Array.from({ length: 40 }, (_, index) => `/{x}-${index}-{y}${index % 3 === 0 ? ".json" : ""}/z`);
    const routes = patterns.map((template, index) => ({ path: template, priority: index % 7 }));
    const texts = fc.array(fc.constantFrom("-1-", "-12-", "-2", "-", "7-", "-7", "-39-", ".json", "a", "-33-"), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(texts, (pieces) => {
        const target = { method: "GET", path: `/${pieces.join("")}/z`, query: undefined, host: undefined, headers: {} };
        expect(find(routes, target)).toEqual(scanRoutes(routes, target));
      }),
      runs,
    );
  });
});

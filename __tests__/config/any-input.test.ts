import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { locks } from "../../src/config/ocelot/locks.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { allSections, globalSection, rootSection, routeSection } from "../../src/config/sections.ts";
import { unsupportedKeys } from "../../src/config/ocelot/unsupported-keys.ts";
import { ConfigError } from "../../src/errors.ts";
import { schemeTypes } from "../../src/capabilities/authentication/scheme-keys.ts";
import type { Key, Section } from "../../src/schema/key.ts";
import { anyText } from "../fuzz/any-text.ts";
import { isLong, sampled } from "../fuzz/bounds.ts";
import { route } from "./configurations.ts";

const seed = 20_260_711;
const numRuns = isLong ? 300 : 40;
const tables = [...allSections.map((section) => section.keys), ...Object.values(unsupportedKeys), locks];
const keys = tables.flatMap((table) => Object.keys(table));

/** Whatever comes in, either a configuration comes out or a ConfigError that says where and why. */
function neverCrashes(input: unknown): void {
  try {
    parseConfig(input, { logger: false, lint: true });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    expect(error.message).not.toContain("Invalid input");
  }
}

const texts = fc.oneof(
  anyText({ maxLength: 30 }),
  fc.constantFrom(
    "/a/{b}",
    "/{x}?y={z}",
    "/a?{rest}",
    "{",
    "}",
    "{}",
    "Get",
    "http",
    "RoundRobin",
    "ServiceFabric",
    "true",
    "80",
  ),
);

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "medium" },
    texts,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("tree"), { maxLength: 4 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...keys, "__proto__"), texts), tie("tree"), { maxKeys: 6 }),
}));

const configuration = fc.record(
  {
    Routes: fc.array(fc.dictionary(fc.constantFrom(...Object.keys(routeSection.keys)), tree, { maxKeys: 8 }), {
      maxLength: 4,
    }),
    GlobalConfiguration: fc.dictionary(fc.constantFrom(...Object.keys(globalSection.keys)), tree, { maxKeys: 5 }),
  },
  { requiredKeys: [] },
);

describe("Nothing crashes the parser:", () => {
  test("any object", () => {
    fc.assert(fc.property(fc.oneof(tree, configuration), neverCrashes), { seed, numRuns });
  });

  test("any JSON", () => {
    const json = fc.oneof(tree, configuration).map((value) => JSON.stringify(value));
    fc.assert(fc.property(json, neverCrashes), { seed, numRuns });
  });

  test("any value of JavaScript", () => {
    fc.assert(fc.property(fc.anything({ withBigInt: true, withMap: true, withDate: true }), neverCrashes), {
      seed,
      numRuns,
    });
  });

  test("any text", () => {
    const pieces = fc.array(
      fc.constantFrom("{", "}", "[", "]", ",", ":", '"', '"Routes"', "1", "//", "/*", "\n", "\\", "x"),
    );
    const text = fc.oneof(
      anyText(),
      pieces.map((all) => all.join("")),
    );
    fc.assert(fc.property(text, neverCrashes), { seed, numRuns });
  });

  test("a good file that lost or gained a piece", () => {
    const good = readFileSync(new URL("../fixtures/config/sample-metadata.json", import.meta.url), "utf8");
    const at = fc.nat({ max: good.length });
    const damaged = fc.record({ at, lost: fc.nat({ max: 20 }), gained: fc.constantFrom("", "{", "]", '"', ",", "/*") });
    fc.assert(
      fc.property(damaged, ({ at, lost, gained }) => neverCrashes(good.slice(0, at) + gained + good.slice(at + lost))),
      { seed, numRuns: isLong ? 500 : 80 },
    );
  });
});

const foreign: readonly unknown[] = [null, 7, "x", [null], { a: null }];

/** What must stand beside a key, so that rules look at it. */
const ownOf: Readonly<Record<string, readonly object[]>> = {
  root: [{ Routes: [route()] }],
  route: [route()],
  scheme: schemeTypes.map((type) => ({ Type: type })),
};

/** All configurations in which something foreign stands at one key, of every kind of object that there is. */
function* foreignIn(section: Section, place: (own: object) => object): Generator<object> {
  for (const own of ownOf[section.name] ?? [{}]) {
    for (const [name, key] of Object.entries<Key>(section.keys)) {
      const put = (value: unknown): object => place({ ...own, [name]: value });
      for (const value of foreign) yield put(value);
      if (!("section" in key)) continue;
      for (const value of foreign) yield put(within(key, value));
      yield* foreignIn(key.section, (inner) => put(within(key, inner)));
    }
  }
}

function within({ kind }: Key, value: unknown): unknown {
  if (kind === "record") return { a: value };
  return kind === "section" ? value : [value];
}

test("Nothing foreign at any key crashes the parser", () => {
  // In the short form three or four of the ten values at each key.
  for (const input of sampled([...foreignIn(rootSection, (whole) => whole)], 3)) neverCrashes(input);
});

test("The problems of a configuration do not depend on whether it came as text or as an object", () => {
  const codesOf = (input: unknown) => {
    try {
      return parseConfig(input, { logger: false }).warnings.map(({ code }) => code);
    } catch (error) {
      return (error as ConfigError).problems.map(({ code }) => code);
    }
  };
  const property = fc.property(configuration, (value) => {
    const text = JSON.stringify(value);
    expect(codesOf(text).sort()).toEqual(codesOf(JSON.parse(text)).sort());
  });
  fc.assert(property, { seed, numRuns });
});

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseInSlices } from "../../src/json/parse-in-slices.ts";
import { createBudgets } from "../../src/openapi/shapes/document-budgets.ts";
import { createComponents } from "../../src/openapi/shapes/components.ts";
import { placesOfVersion } from "../../src/openapi/shapes/places-of-version.ts";
import { writeJson } from "../../src/openapi/writing/write-json.ts";
import { runAtOnce, type Steps } from "../../src/time-slices.ts";
import { isLong } from "../fuzz/bounds.ts";

function countSteps(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count += 1;
  return count;
}

test("documents are written as JSON.stringify writes them", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(runAtOnce(writeJson(value, Infinity))).toBe(JSON.stringify(value));
    }),
  );
  const value = { digits: 12345678901234567890n, none: undefined, list: [undefined, "\ud800\u0000ä€"], of: [{}, []] };
  const text = String.raw`{"digits":12345678901234567890,"list":[null,"\ud800\u0000ä€"],"of":[{},[]]}`;
  expect(runAtOnce(writeJson(value, Infinity))).toBe(text);
});

test("writing and parsing give way after few values", () => {
  const value = Array.from({ length: 10_000 }, (_, index) => ({ index }));
  expect(countSteps(writeJson(value, Infinity))).toBeGreaterThan(200);
  expect(countSteps(parseInSlices(JSON.stringify(value), { depth }))).toBeGreaterThan(30);
});

test("one component gives way while it is weighed and copied, and so does what looks for heirs", () => {
  const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { default: [{}] }]));
  const allOf = Array.from({ length: 20_000 }, () => ({ $ref: "#/components/schemas/none" }));
  const schemas = { A: { discriminator: { propertyName: "kind" }, properties }, B: { allOf } };
  const { needAll, collect } = createComponents({ components: { schemas } }, placesOfVersion["3.0"]);
  runAtOnce(needAll());
  expect(countSteps(collect(createBudgets()))).toBeGreaterThan(20_000);
});

test("what would be too long is not written, in bytes", () => {
  expect(runAtOnce(writeJson(["€€"], 10))).toBe('["€€"]');
  expect(runAtOnce(writeJson(["€€"], 9))).toBeUndefined();
});

const depth = 1_000;
const parsed = (text: string, bounds: object = {}): unknown => runAtOnce(parseInSlices(text, { depth, ...bounds }));
// What holds so much is long, and is cut.
const blanks = " ".repeat(16_384);

test("a text is parsed as JSON.parse parses it, wherever it is cut", () => {
  const json = fc.jsonValue().map((value) => JSON.stringify([value, { __proto__: 1, "\\[": value }], undefined, 1));
  const marks = ["", ",", ":", "[", "]", "{", "}", '"', "\\", "1", "-", " ", "null", "[]", '"a":1,', "]["];
  const written = fc.tuple(json, fc.nat(), fc.nat(3), fc.constantFrom(...marks)).map(([text, seed, removed, mark]) => {
    const at = seed % text.length;
    return text.slice(0, at) + mark + text.slice(at + removed);
  });
  fc.assert(
    fc.property(fc.oneof(json, written), fc.array(fc.nat(40), { maxLength: 6 }), (text, longLines) => {
      const lines = text.split("\n").map((line, index) => (longLines.includes(index) ? line + blanks : line));
      const long = lines.join("\n");
      expect(parsed(long)).toEqual(parsedAtOnce(long));
    }),
    { numRuns: isLong ? 2_000 : 400 },
  );
});

function parsedAtOnce(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: "form" };
  }
}

test.each([
  ['{"a":1{"long":"value"}}'],
  ['[{"long":"value"}{"long":"value"}]'],
  ['[1,{"long":"value"},]'],
  ['[,{"long":"value"}]'],
  ['{"a":"b":{"long":"value"}}'],
  ['{"long":"value"} 1'],
  ['{"long":"value"]'],
])("what stands around a long value counts: %s", (text) => {
  expect(parsed(text.replaceAll("value", blanks))).toEqual({ fault: "form" });
});

test("names that repeat, or are those of prototypes, are members", () => {
  const text = '{"a":[1,2,3],"__proto__":{"b":[1,2]},"a":[4,5,6],"c":1}';
  const { value } = parsed(text.replaceAll(",", `,${blanks}`)) as { value: object };
  expect(JSON.stringify(value)).toBe('{"a":[4,5,6],"__proto__":{"b":[1,2]},"c":1}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test.each([
  ["depth", '[{"a":[1]}]', 3],
  ["members", '[{"a":[1,2,3]},"1,2,3,4"]', 3],
] as const)("the bound of %s holds for %s", (name, text, most) => {
  expect([most - 1, most].map((bound) => parsed(text, { [name]: bound }))).toEqual([
    { fault: name },
    { value: JSON.parse(text) as unknown },
  ]);
});

test.each<[text: string, values: number]>([
  ["1", 1],
  ["[1,2]", 3],
  ["[]", 2],
  ['{"a,[{":"\\",\\\\","b":[1]}', 4],
])("values are counted outside of texts: %s", (text, values) => {
  expect([values - 1, values].map((most) => parsed(text, { values: most }))).toEqual([
    { fault: "values" },
    { value: JSON.parse(text) as unknown },
  ]);
});

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { hasFewValues } from "../../src/openapi/reading/weigh-json.ts";
import { writeJson } from "../../src/openapi/writing/write-json.ts";
import { runAtOnce, type Steps } from "../../src/time-slices.ts";

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

test("writing and weighing give way after few values", () => {
  const value = Array.from({ length: 10_000 }, (_, index) => ({ index }));
  expect(countSteps(writeJson(value, Infinity))).toBeGreaterThan(200);
  expect(countSteps(hasFewValues(JSON.stringify(value), Infinity))).toBeGreaterThan(20);
});

test("what would be too long is not written, in bytes", () => {
  expect(runAtOnce(writeJson(["€€"], 10))).toBe('["€€"]');
  expect(runAtOnce(writeJson(["€€"], 9))).toBeUndefined();
});

test.each<[text: string, values: number]>([
  ["1", 1],
  ["[1,2]", 3],
  ["[]", 2],
  ['{"a,[{":"\\",\\\\","b":[1]}', 4],
])("values are counted outside of texts: %s", (text, values) => {
  expect([values - 1, values].map((most) => runAtOnce(hasFewValues(text, most)))).toEqual([false, true]);
});

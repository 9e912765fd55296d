import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { formatInstant } from "../../src/capabilities/rate-limits/format-instant.ts";

test("an instant is written as JavaScript writes it, whichever was written before", () => {
  const instant = fc.double({ min: 0, max: 4e12, noNaN: true });
  fc.assert(
    fc.property(instant, fc.double({ min: 0, max: 2_500, noNaN: true }), (first, more) => {
      for (const each of [first, first + more]) expect(formatInstant(each)).toBe(new Date(each).toISOString());
    }),
  );
});

test.each([
  [Number.MAX_SAFE_INTEGER, "9999-12-31T23:59:59.999Z"],
  [Date.now() + 999_999_999 * 86_400_000, "9999-12-31T23:59:59.999Z"],
  [-Number.MAX_SAFE_INTEGER, "0000-01-01T00:00:00.000Z"],
])("%d, an instant of no year of four digits, is written as the nearest that is", (instant, text) => {
  expect(formatInstant(instant)).toBe(text);
});

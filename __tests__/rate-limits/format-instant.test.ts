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

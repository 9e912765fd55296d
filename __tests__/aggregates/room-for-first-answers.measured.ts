import { expect, test } from "@jest/globals";
import type { FindValues } from "../../src/aggregates/json-path.ts";
import { createFindTexts } from "../../src/aggregates/values-in-first-answer.ts";

/** A path that finds how long a document is once it is let go. */
function createHeldPath(): Readonly<{ held: FindValues; letGo: () => void }> {
  let isHeld = true;
  return {
    *held(document) {
      while (isHeld) yield;
      return [(document as readonly unknown[]).length];
    },
    letGo: () => (isHeld = false),
  };
}

test("what waits takes no more memory than there is room for: the rest is refused as overloaded, and nothing else", async () => {
  const findTexts = createFindTexts();
  const find = createHeldPath();
  const longest = Buffer.from(`[${" ".repeat(1_048_574)}]`);
  const waiting = Array.from({ length: 32 }, () => findTexts(longest, [find.held]));
  await expect(findTexts(longest, [find.held])).rejects.toMatchObject({ code: "overloaded", status: 503 });
  const other = createFindTexts()(longest, [find.held]);
  find.letGo();
  await expect(Promise.all([...waiting, other])).resolves.toEqual(Array(33).fill([["0"]]));
  await expect(findTexts(longest, [find.held])).resolves.toEqual([["0"]]);
});

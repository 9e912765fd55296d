import { describe, expect, jest, test } from "@jest/globals";
import { fakeTime, startTable } from "./start-table.ts";

describe("Services that nobody has listed", () => {
  test("are found also while clients make up names of which nobody can tell", async () => {
    fakeTime();
    const { open, arrived } = await startTable();
    const madeUp: Promise<number>[] = [];
    for (let second = 1; second <= 3; second += 1) {
      for (let name = 0; name < 350; name += 1) madeUp.push(open(`/made-up-${second}-${name}`));
      while (arrived() < 350 * second) await new Promise(setImmediate);
      await jest.advanceTimersByTimeAsync(1_100);
    }
    expect(await open("/orders")).toBe(200);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(new Set(await Promise.all(madeUp))).toEqual(new Set([503]));
  });

  test("are asked for a hundred times a second at most, and those that were found are not held up by it", async () => {
    const { open, first } = await startTable();
    expect(await open("/orders")).toBe(200);
    const began = performance.now();
    await Promise.all(Array.from({ length: 400 }, (_, index) => open(`/nobody-${index}`)));
    expect(first()).toBeLessThanOrEqual(100 * (2 + Math.floor((performance.now() - began) / 1_000)));
    expect(await open("/orders")).toBe(200);
  });
});

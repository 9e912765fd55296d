import { expect, test } from "@jest/globals";
import { createTurns } from "../../src/openapi/reading/work-in-turn.ts";

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("work that costs much waits for its turn, in order, and hands it on whether it succeeds or not", async () => {
  const inTurn = createTurns(2);
  const begun: number[] = [];
  let [running, most] = [0, 0];

  async function work(index: number): Promise<number> {
    begun.push(index);
    running += 1;
    most = Math.max(most, running);
    await nextTick();
    running -= 1;
    if (index % 2 === 1) throw new Error(`${index} fails`);
    return index;
  }

  const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 5].map((index) => inTurn(() => work(index))));
  expect([most, begun]).toEqual([2, [0, 1, 2, 3, 4, 5]]);
  expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, false, true, false]);
});

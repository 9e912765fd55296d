import { expect, test } from "@jest/globals";
import { createDocumentTurns } from "../../src/openapi/document-turns.ts";
import { createWorkTurns } from "../../src/work-in-turn.ts";

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("work that costs much waits for its turn, in order, and hands it on whether it succeeds or not", async () => {
  const inTurn = createWorkTurns(2, 60_000);
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

test("what waits for too long is not done, and hands no turn on", async () => {
  const inTurn = createWorkTurns(1, 20);
  let end: (() => void) | undefined;
  const first = inTurn(() => new Promise<string>((resolve) => (end = () => resolve("first"))));
  const late = await Promise.all([inTurn(() => Promise.resolve("late")), inTurn(() => Promise.resolve("later"))]);
  end!();
  expect([await first, ...late]).toEqual(["first", undefined, undefined]);
  expect(await inTurn(() => Promise.resolve("next"))).toBe("next");
});

test("a document whose turn does not come in time is refused for as long as that is kept", async () => {
  const { take, inTurn } = createDocumentTurns(1, 20);
  const handOn = await take();
  const refused = { code: "overloaded", status: 503, headers: { "retry-after": "10" } };
  await expect(inTurn(() => Promise.resolve())).rejects.toMatchObject(refused);
  handOn();
  expect(await inTurn(() => Promise.resolve("made"))).toBe("made");
});

import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { runInSlices, runWithin, type Steps } from "../src/time-slices.ts";

const stepMilliseconds = 0.5;

/** Steps of half a millisecond, each of which is told before it begins. */
function* stepsOf(count: number, begin: () => void): Steps<void> {
  for (let step = 0; step < count; step += 1) {
    begin();
    for (const end = performance.now() + stepMilliseconds; performance.now() < end;);
    yield;
  }
}

test("however much work runs at the same time, all of it takes 2 ms in each turn of the event loop", async () => {
  let [inTurn, most, isDone] = [0, 0, false];
  const works = Array.from({ length: 30 }, () => runInSlices(stepsOf(4, () => (inTurn += 1))));
  const working = Promise.all(works).then(() => (isDone = true));
  while (!isDone) {
    inTurn = 0;
    await nextTurn();
    most = Math.max(most, inTurn);
  }
  await working;
  expect(most * stepMilliseconds).toBeLessThanOrEqual(2 + stepMilliseconds);
});

test("short work is done in the order in which it came, one after the other", async () => {
  const begun: number[] = [];
  await Promise.all(Array.from({ length: 5 }, (_, work) => runInSlices(stepsOf(6, () => begun.push(work)))));
  expect(begun).toEqual(begun.toSorted());
});

test("work without an end lets other work go on", async () => {
  let isOver = false;
  function* goOn(): Steps<void> {
    while (!isOver) yield;
  }
  const endless = [runInSlices(goOn()), runInSlices(goOn())];
  await runInSlices(stepsOf(50, () => undefined));
  isOver = true;
  await Promise.all(endless);
});

test("work runs for whoever began it, and fails alone", async () => {
  const asking = new AsyncLocalStorage<number>();
  const seen: unknown[] = [];
  function* failAtTwo(client: number): Steps<number> {
    for (let step = 0; step < 3; step += 1) {
      yield;
      seen.push(asking.getStore() === client);
    }
    if (client === 2) throw new Error("This one fails.");
    return client;
  }
  const clients = [1, 2, 3].map((client) => asking.run(client, () => runInSlices(failAtTwo(client))));
  expect(await Promise.allSettled(clients)).toEqual([
    { status: "fulfilled", value: 1 },
    { status: "rejected", reason: new Error("This one fails.") },
    { status: "fulfilled", value: 3 },
  ]);
  expect(seen).toEqual(Array(9).fill(true));
});

test("work may take so long, and what the thread waits for in between is no work", async () => {
  const waited = new Int32Array(new SharedArrayBuffer(4));
  function* stepsThatWait(): Steps<string> {
    for (let step = 0; step < 20; step += 1) {
      Atomics.wait(waited, 0, 0, 5);
      yield;
    }
    return "done";
  }
  expect(await runWithin(stepsThatWait(), 50)).toBe("done");
  expect(
    await runWithin(
      stepsOf(200, () => undefined),
      50,
    ),
  ).toBeUndefined();
});

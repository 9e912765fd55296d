import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createDeadlines } from "../../src/unattended/deadlines.ts";
import { tellDefectsTo } from "../../src/unattended/defects.ts";
import { createLogBook, until } from "../reload/scene.ts";

const limit = 30;

/** Waits, of which some are ended before their time, in any order; tells which of them expired, in order. */
async function expiredOf(ends: readonly (number | undefined)[]): Promise<number[]> {
  const beginWait = createDeadlines(limit);
  const expired: number[] = [];
  const endWait = ends.map((_, index) => beginWait(() => expired.push(index)));
  const order = ends.flatMap((place, index) => (place === undefined ? [] : [{ place, index }]));
  for (const { index } of order.sort((one, other) => one.place - other.place)) endWait[index]!();
  await new Promise((resolve) => setTimeout(resolve, limit * 3));
  return expired;
}

test("those that nobody ended expire, in the order in which they began", async () => {
  const arbitraryEnds = fc.array(fc.option(fc.nat(), { nil: undefined }), { maxLength: 30 });
  const samples = fc.sample(arbitraryEnds, { seed: 1, numRuns: 200 });
  const expected = samples.map((ends) => ends.flatMap((place, index) => (place === undefined ? [index] : [])));
  expect(await Promise.all(samples.map(expiredOf))).toEqual(expected);
});

test("none expires before its time, whenever it began", async () => {
  const beginWait = createDeadlines(limit);
  const lasted: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    const begun = performance.now();
    beginWait(() => lasted.push(performance.now() - begun));
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  while (lasted.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(Math.min(...lasted)).toBeGreaterThanOrEqual(limit);
});

test("one may end itself and others, and begin another, while it expires", async () => {
  const beginWait = createDeadlines(limit);
  const expired: string[] = [];
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const endFirst = beginWait(() => {
    expired.push("first");
    endFirst();
    endSecond();
    beginWait(() => resolve(expired.push("third")));
  });
  const endSecond = beginWait(() => expired.push("second"));
  await promise;
  endSecond();
  expect(expired).toEqual(["first", "third"]);
});

test("one that fails keeps no other from expiring, nor those that begin later", async () => {
  const beginWait = createDeadlines(limit);
  const expired: string[] = [];
  const { logger, lines } = createLogBook();
  tellDefectsTo(logger);
  beginWait(() => {
    throw new Error("a mistake");
  });
  beginWait(() => expired.push("behind it"));
  await until(() => expired.length === 1);
  beginWait(() => expired.push("later"));
  await until(() => expired.length === 2);
  expect(expired).toEqual(["behind it", "later"]);
  expect(lines).toHaveLength(1);
});

test("each expires for whom it was begun, whoever began the first", async () => {
  const asking = new AsyncLocalStorage<string>();
  const clients = ["ann", "ben", "cleo"];
  const beginWait = createDeadlines(limit);
  const waitFor = (client: string) =>
    asking.run(client, () => new Promise((resolve) => beginWait(() => resolve(asking.getStore()))));
  expect(await Promise.all(clients.map(waitFor))).toEqual(clients);
});

import { expect, test } from "@jest/globals";
import type { FindValues } from "../../src/aggregates/json-path.ts";
import { createFindTexts } from "../../src/aggregates/values-in-first-answer.ts";

/**
 * A path that takes a while to find how long a document is, and goes on until it looks into so many at the same time; it
 * tells into how many it has looked at most.
 */
function createWatchedPath(least: number): Readonly<{ find: FindValues; mostAtOnce: () => number }> {
  let [present, most] = [0, 0];
  return {
    mostAtOnce: () => most,
    *find(document) {
      present += 1;
      most = Math.max(most, present);
      const end = performance.now() + 20;
      while (most < least || performance.now() < end) yield;
      present -= 1;
      return [(document as readonly unknown[]).length];
    },
  };
}

function documentOf(items: number): Buffer {
  return Buffer.from(JSON.stringify(Array<object>(items).fill({})));
}

test("two long answers are looked into at a time, and all in the end", async () => {
  const findTexts = createFindTexts();
  const { find, mostAtOnce } = createWatchedPath(2);
  const found = await Promise.all(Array.from({ length: 6 }, () => findTexts(documentOf(20_000), [find])));
  expect(found).toEqual(Array(6).fill([["20000"]]));
  expect(mostAtOnce()).toBe(2);
});

test("two long answers are looked into at a time, of however many aggregates they are", async () => {
  const { find, mostAtOnce } = createWatchedPath(2);
  await Promise.all(Array.from({ length: 6 }, () => createFindTexts()(documentOf(20_000), [find])));
  expect(mostAtOnce()).toBe(2);
});

test("the long answers of one aggregate leave turns to those of another", async () => {
  const { find } = createWatchedPath(1);
  const [findTexts, findTextsOfOther] = [createFindTexts(), createFindTexts()];
  const done: string[] = [];
  const many = Array.from({ length: 8 }, () => findTexts(documentOf(20_000), [find]).then(() => done.push("one")));
  await findTextsOfOther(documentOf(20_000), [find]).then(() => done.push("other"));
  expect(done.length).toBeLessThan(8);
  await Promise.all(many);
});

test("short answers wait for nothing", async () => {
  const findTexts = createFindTexts();
  const { find, mostAtOnce } = createWatchedPath(6);
  await Promise.all(Array.from({ length: 6 }, () => findTexts(documentOf(10), [find])));
  expect(mostAtOnce()).toBe(6);
});

test("an answer that is no JSON lets the next one in", async () => {
  const findTexts = createFindTexts();
  const { find } = createWatchedPath(1);
  const broken = Buffer.from(`${documentOf(20_000).toString()}]`);
  const found = await Promise.all([broken, broken, documentOf(20_000)].map((bytes) => findTexts(bytes, [find])));
  expect(found).toEqual([undefined, undefined, [["20000"]]]);
});

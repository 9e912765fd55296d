import { expect, test } from "@jest/globals";
import { createKeptDocuments } from "../../src/openapi-pages/kept-documents.ts";

test("documents that are kept are no more than 64 MiB: those that were made first go", async () => {
  const keys = Array.from({ length: 10 }, (_, index) => ({ index }));
  const keep = createKeptDocuments<(typeof keys)[number]>(() => 0);
  const made: number[] = [];

  async function ask(key: (typeof keys)[number]): Promise<void> {
    await keep(key, () => {
      made.push(key.index);
      return Promise.resolve("x".repeat(7_000_000));
    });
  }

  for (const key of keys) await ask(key);
  expect(made.splice(0)).toEqual(keys.map(({ index }) => index));
  for (const key of [keys[9]!, keys[1]!, keys[0]!, keys[1]!, keys[2]!]) await ask(key);
  expect(made).toEqual([0, 1, 2]);
});

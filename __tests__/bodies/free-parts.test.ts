import { expect, test } from "@jest/globals";
import { createPartsDisposal } from "../../src/bodies/freeing/free-parts.ts";

const bytes = 65_536;

function createMemory(): { memory: ArrayBuffer; cut: (start: number, end: number) => Buffer } {
  const memory = new ArrayBuffer(bytes);
  return { memory, cut: (start, end) => Buffer.from(memory, start, end - start) };
}

test("memory is freed once all its parts are out and other memory is parsed", () => {
  const [first, second] = [createMemory(), createMemory()];
  const connection = { wholeRead: first.memory };
  const { received, written } = createPartsDisposal(connection);
  const parts = [first.cut(10, 30_000), first.cut(30_010, bytes)];
  for (const part of parts) {
    received(part);
    written(part);
    // What follows in it is still to be parsed.
    expect(first.memory.detached).toBe(false);
  }
  connection.wholeRead = second.memory;
  received(second.cut(10, 100));
  expect(first.memory.detached).toBe(true);
  expect(second.memory.detached).toBe(false);
});

test("memory of which a part is under way is freed when that is out", () => {
  const [first, second] = [createMemory(), createMemory()];
  const connection = { wholeRead: first.memory };
  const { received, written } = createPartsDisposal(connection);
  const part = first.cut(10, bytes);
  received(part);
  connection.wholeRead = second.memory;
  received(second.cut(10, 100));
  // Somebody on the way has cut it into two.
  written(part.subarray(0, 1_000));
  expect(first.memory.detached).toBe(false);
  written(part.subarray(1_000));
  expect(first.memory.detached).toBe(true);
});

test("memory that is not all of one read is never freed", () => {
  const shared = createMemory();
  const { received, written } = createPartsDisposal({ wholeRead: createMemory().memory });
  const part = shared.cut(0, 40_000);
  received(part);
  written(part);
  received(createMemory().cut(0, 100));
  expect(shared.memory.detached).toBe(false);
});

test("a piece that has all of its memory is freed when it is out", () => {
  const { memory, cut } = createMemory();
  const { received, written } = createPartsDisposal({ wholeRead: memory });
  const piece = cut(0, bytes);
  received(piece);
  expect(memory.detached).toBe(false);
  written(piece);
  expect(memory.detached).toBe(true);
});

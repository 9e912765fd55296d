import { expect, test } from "@jest/globals";
import { gatherPieces } from "../../src/bodies/pieces/gather-pieces.ts";

test("pieces of a single byte each are kept as a few long ones, in their order", () => {
  const pieces = gatherPieces();
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
  for (let index = 0; index < bytes.length; index += 1) pieces.add(bytes.subarray(index, index + 1));
  expect([pieces.length(), pieces.all().length < 1_200]).toEqual([bytes.length, true]);
  expect(Buffer.concat(pieces.all()).equals(bytes)).toBe(true);
  expect(pieces.take().equals(bytes)).toBe(true);
  expect([pieces.length(), pieces.take().length]).toEqual([0, 0]);
});

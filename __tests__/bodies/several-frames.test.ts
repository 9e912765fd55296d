import { Readable } from "node:stream";
import { setImmediate as aTurn, setTimeout as wait } from "node:timers/promises";
import zlib from "node:zlib";
import { expect, test } from "@jest/globals";
import { decompress } from "../../src/bodies/codings/content-coding.ts";

const text = (index: number): Buffer => Buffer.alloc(200_000, 65 + index);
const indices = Array.from({ length: 20 }, (_, index) => index);
const compressed = Buffer.concat(indices.map((index) => zlib.zstdCompressSync(text(index))));
const whole = Buffer.concat(indices.map(text));

test.each([
  ["does not wait", () => undefined],
  ["waits for a turn at each piece", () => aTurn()],
  ["waits longer", () => wait(2)],
])("a body of several frames of zstd comes whole to whom %s", async (_reader, pause) => {
  const source = Readable.from([compressed.subarray(0, 100), compressed.subarray(100)], { objectMode: false });
  const pieces: Buffer[] = [];
  for await (const piece of decompress(source, "zstd", Infinity)) {
    pieces.push(piece as Buffer);
    await pause();
  }
  expect(Buffer.concat(pieces).equals(whole)).toBe(true);
});

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createFrameBoundary } from "../../src/capabilities/websockets/frame-boundary.ts";

/** A frame as RFC 6455 5.2 lays it out. */
function frame(length: number, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const extended = Buffer.alloc(length < 126 ? 0 : length < 65_536 ? 2 : 8);
  if (extended.length === 2) extended.writeUInt16BE(length);
  if (extended.length === 8) extended.writeBigUInt64BE(BigInt(length));
  const short = [length, 126, 127][[0, 2, 8].indexOf(extended.length)]!;
  return Buffer.concat([Buffer.from([0x82, mask | short]), extended, Buffer.alloc((isMasked ? 4 : 0) + length, 0xff)]);
}

const lengths = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(125, 126, 127, 65_535, 65_536, 70_000));

test("it stands between frames exactly where one has ended, however the stream is cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(lengths, fc.boolean()), { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 }),
      (shapes, cuts) => {
        const frames = shapes.map(([length, isMasked]) => frame(length, isMasked));
        const ends = new Set(frames.map((_, index) => Buffer.concat(frames.slice(0, index + 1)).length));
        const stream = Buffer.concat(frames);
        const boundary = createFrameBoundary();
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const end = Math.min(stream.length, at + cuts[turn % cuts.length]!);
          boundary.follow(stream.subarray(at, end));
          at = end;
          expect(boundary.isBetweenFrames()).toBe(ends.has(at));
        }
      },
    ),
    { seed: 6455, numRuns: 200 },
  );
});

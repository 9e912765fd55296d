import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { piecesInTime } from "../../src/aggregates/part-body-in-time.ts";

test("a wait for a piece ends with the whole where the body has fallen silent", async () => {
  let waits = 0;
  let end: ((reason: Error) => void) | undefined;
  const call = {
    beginWait() {
      waits += 1;
      return () => void (waits -= 1);
    },
    cancel: () => false,
    onEnd: (listener: (reason: Error) => void) => void (end = listener),
  };
  const next = piecesInTime(new Readable({ read: () => undefined }), call).next();
  expect(waits).toBe(1);
  end!(new Error("The client left."));
  await expect(next).rejects.toThrow("The client left.");
  expect(waits).toBe(0);
});

import { expect, test } from "@jest/globals";
import { createPatience } from "../../src/openapi-pages/patience.ts";

test("whoever listens after it was given up hears of it at once, with the first reason", async () => {
  const patience = createPatience();
  const heard: Error[] = [];
  const reasons = [new Error("the first"), new Error("the second")] as const;
  patience.onGivenUp((reason) => heard.push(reason));
  for (const reason of reasons) patience.giveUp(reason);
  patience.onGivenUp((reason) => heard.push(reason));
  expect(heard).toEqual([reasons[0], reasons[0]]);
  await expect(patience.waitFor(new Promise(() => undefined))).rejects.toBe(reasons[0]);
});

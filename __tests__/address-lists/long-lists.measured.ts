import net from "node:net";
import { expect, test } from "@jest/globals";
import { start, statusOf } from "./start-listed.ts";

test("a list of a hundred thousand entries is looked through in no time", async () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `11.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  const { port } = await start({ global: { IPBlockedList: many }, options: { trustProxy: 1 } });
  const forged = (address: string) => statusOf(port, { "x-forwarded-for": address });
  expect([await forged("11.1.134.159"), await forged("11.1.134.160"), net.isIP("11.1.134.159")]).toEqual([403, 200, 4]);
});

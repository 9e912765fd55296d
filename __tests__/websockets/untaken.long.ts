import { once } from "node:events";
import { expect, test } from "@jest/globals";
import { leaveUntaken } from "./leave-untaken.ts";

test("a connection that no listener of the server takes is closed after a minute", async () => {
  const begun = performance.now();
  const { client, close } = await leaveUntaken();
  await once(client, "close");
  expect(performance.now() - begun).toBeGreaterThan(59_000);
  await close();
}, 120_000);

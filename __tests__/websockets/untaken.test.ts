import { expect, test } from "@jest/globals";
import { leaveUntaken } from "./leave-untaken.ts";

test("a client that resets a connection that no listener of the server takes disturbs nobody", async () => {
  const { client, served, close } = await leaveUntaken();
  client.resetAndDestroy();
  // An error that nobody listens to would end the process.
  const failed = await new Promise((resolve) => served.resume().once("close", resolve));
  expect(failed).toBe(true);
  await close();
});

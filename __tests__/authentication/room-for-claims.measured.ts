import { expect, test } from "@jest/globals";
import { against, saying } from "./introspecting.ts";

test("A server that tells claims that take much memory is asked again before that is taken", async () => {
  // Of 64 KB each, and more than a megabyte once they are read.
  const { ask, server } = await against(saying({ rights: Array<object>(21_000).fill({}) }));
  for (let index = 0; index < 60; index += 1) expect(await ask(`token-${index}`)).toBe(200);
  expect(await ask("token-59")).toBe(200);
  expect(server.requests).toHaveLength(60);
  expect(await ask("token-0")).toBe(200);
  expect(server.requests).toHaveLength(61);
});

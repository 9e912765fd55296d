import { EventEmitter, once } from "node:events";
import { expect, test } from "@jest/globals";
import { createHttpProxyMiddlewareEngine } from "../../src/forwarding/engines/http-proxy-middleware.ts";
import { watchProcess } from "../helpers/watch-process.ts";
import { setScene } from "./scene.ts";

/** Lets Node itself warn, as it does of listeners that are forgotten; but not on the console, as this one is expected. */
async function provokeWarning(): Promise<void> {
  const printing = process.listeners("warning").filter(({ name }) => name === "onWarning");
  for (const print of printing) process.off("warning", print);
  const warned = once(process, "warning");
  const emitter = new EventEmitter().setMaxListeners(1);
  emitter.on("a", () => undefined).on("a", () => undefined);
  expect(await warned).toMatchObject([{ name: "MaxListenersExceededWarning" }]);
  for (const print of printing) process.on("warning", print);
}

test("a warning of Node's own is noted, until nobody watches any more", async () => {
  const disturbances = watchProcess();
  await provokeWarning();
  expect(disturbances.take()).toMatchObject([{ name: "MaxListenersExceededWarning" }]);
  disturbances.stop();
  await provokeWarning();
  expect(disturbances.take()).toEqual([]);
});

test("a scene fails where the process was disturbed", async () => {
  const scene = await setScene(createHttpProxyMiddlewareEngine());
  await provokeWarning();
  await expect(scene.leave()).rejects.toThrow("MaxListenersExceededWarning");
});

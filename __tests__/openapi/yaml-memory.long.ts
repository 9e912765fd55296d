import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { documentPath, type Scene, startScene } from "./scene.ts";

const { NODE_OPTIONS } = process.env;
let scene: Scene;
beforeAll(async () => {
  // As a container's process is started.
  process.env.NODE_OPTIONS = "--max-old-space-size=1024";
  scene = await startScene();
});
afterAll(async () => {
  if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = NODE_OPTIONS;
  await scene.close();
});

test("A document in YAML takes no more memory where the whole process may have much", async () => {
  scene.say("a: ".repeat(2_000_000));
  await scene.use({
    Routes: [],
    SwaggerEndPoints: [{ Key: "a", Config: [{ Name: "a", Version: "v1", Url: scene.service.origin + documentPath }] }],
  });
  let most = 0;
  let looking: NodeJS.Timeout | undefined;
  const watch = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess };
    looking = setInterval(() => {
      readFile(`/proc/${child.pid}/status`, "utf8").then(
        (status) => (most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)),
        () => undefined,
      );
    }, 20);
  };
  subscribe("child_process", watch);
  const { status, json } = await scene.get("/swagger/docs/v1/a");
  unsubscribe("child_process", watch);
  clearInterval(looking);
  expect({ status, detail: json.detail }).toEqual({ status: 502, detail: expect.stringContaining("too much memory") });
  // The heap has 176 MiB, and what is Node's own is beside it.
  expect(most).toBeGreaterThan(100);
  expect(most).toBeLessThan(300);
}, 60_000);

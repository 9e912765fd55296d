import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setFlagsFromString } from "node:v8";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { documentPath, type Scene, startScene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  // As a container's process is started; V8 reads it for each thread that begins.
  setFlagsFromString("--max-old-space-size=1024");
  scene = await startScene();
});
afterAll(async () => {
  setFlagsFromString("--max-old-space-size=0");
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
    const { worker } = message as { worker: Worker };
    looking = setInterval(() => {
      worker.getHeapStatistics().then(
        (heap) => (most = Math.max(most, heap.total_heap_size)),
        () => undefined,
      );
    }, 20);
  };
  subscribe("worker_threads", watch);
  const { status, json } = await scene.get("/swagger/docs/v1/a");
  unsubscribe("worker_threads", watch);
  clearInterval(looking);
  expect({ status, detail: json.detail }).toEqual({ status: 502, detail: expect.stringContaining("too much memory") });
  // The thread has 176 MiB, and what it takes between two looks.
  expect(most / 1_048_576).toBeLessThan(300);
}, 60_000);

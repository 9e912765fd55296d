import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { documentPath, type Scene, startScene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

test("documents in YAML are read in two threads, however many there are", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  scene.say('openapi: 3.0.0\ninfo: { title: t, version: "1" }\npaths: {}\n');
  await scene.use({
    Routes: [],
    SwaggerEndPoints: names.map((Key) => ({
      Key,
      Config: [{ Name: Key, Version: "v1", Url: scene.service.origin + documentPath }],
    })),
  });
  let [running, most, begun] = [0, 0, 0];
  const count = (message: unknown): void => {
    begun += 1;
    running += 1;
    most = Math.max(most, running);
    (message as { worker: Worker }).worker.once("exit", () => (running -= 1));
  };
  subscribe("worker_threads", count);
  const answers = await Promise.all(names.map((name) => scene.get(`/swagger/docs/v1/${name}`)));
  unsubscribe("worker_threads", count);
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect({ begun, most, running }).toEqual({ begun: names.length, most: 2, running: 0 });
});

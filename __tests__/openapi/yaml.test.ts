import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { documentPath, type Scene, startScene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

/** A configuration with a document under each of the names. */
function documentsOf(names: readonly string[]): object {
  const Config = [{ Name: "a", Version: "v1", Url: scene.service.origin + documentPath }];
  return { Routes: [], SwaggerEndPoints: names.map((Key) => ({ Key, Config })) };
}

const short = 'openapi: 3.0.0\ninfo: { title: t, version: "1" }\npaths: {}\n';

test("documents in YAML are read in two processes, however many there are, whatever this one was started with", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  scene.say(short);
  await scene.use(documentsOf(names));
  let [running, most, begun] = [0, 0, 0];
  const count = (message: unknown): void => {
    begun += 1;
    running += 1;
    most = Math.max(most, running);
    (message as { process: ChildProcess }).process.once("exit", () => (running -= 1));
  };
  const { NODE_OPTIONS: before } = process.env;
  // No process begins with it.
  process.env.NODE_OPTIONS = "--require=./nowhere.cjs";
  subscribe("child_process", count);
  const answers = await Promise.all(names.map((name) => scene.get(`/swagger/docs/v1/${name}`)));
  unsubscribe("child_process", count);
  if (before === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = before;
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect({ begun, most, running }).toEqual({ begun: names.length, most: 2, running: 0 });
});

test("where no process can be started, a document in YAML says so", async () => {
  const { execPath } = process;
  process.execPath = "/nowhere/node";
  scene.say(short);
  await scene.use(documentsOf(["a"]));
  const { status, json } = await scene.get("/swagger/docs/v1/a");
  process.execPath = execPath;
  expect({ status, code: json.code }).toEqual({ status: 502, code: "document-ill-formed" });
  expect(json.detail).toContain("no process can be started");
});

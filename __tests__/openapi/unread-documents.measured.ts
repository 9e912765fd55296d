import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { configOf, type Scene, startScene } from "./scene.ts";

const documentBytes = 2_000_000;
const unread = 60;
const path = "/swagger/docs/v1/shop";

let scene: Scene;
let clients: readonly Socket[] = [];
afterEach(async () => {
  for (const client of clients) client.destroy();
  await scene.close();
});

const all = { UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}" };

test("a document that many clients ask for, and never read, takes its memory once", async () => {
  scene = await startScene();
  const responses = { 200: { description: "x".repeat(documentBytes) } };
  scene.say({ openapi: "3.0.0", info: { title: "Shop", version: "1" }, paths: { "/a": { get: { responses } } } });
  await scene.use(configOf(scene.service, [all]));
  expect((await scene.get(path)).status).toBe(200);
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;

  const { hostname, port } = new URL(scene.origin);
  clients = Array.from({ length: unread }, () => connect(Number(port), hostname));
  // It reads what fills its buffer, and no more.
  const begun = Promise.all(clients.map((client) => once(client, "readable")));
  for (const client of clients) client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await begun;
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * documentBytes);
});

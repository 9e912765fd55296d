import net from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { request } from "../helpers/send-raw.ts";
import { type Scene, startScene } from "./scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

test("live traffic lets a page go that does not keep up", async () => {
  const accepted = once(scene.server, "connection") as Promise<[net.Socket]>;
  const page = net.connect(scene.port, "127.0.0.1");
  page.write(`GET /_gateway/traffic HTTP/1.1\r\nHost: localhost:${scene.port}\r\nCookie: ${scene.cookie}\r\n\r\n`);
  const [served] = await accepted;
  await once(page, "readable");
  // Nothing is read from here on; long paths fill what the system keeps for the connection.
  const longPath = `/gw/orders/${"x".repeat(7_000)}`;
  for (let round = 0; round < 30 && !served.destroyed; round += 1) {
    await Promise.all(Array.from({ length: 200 }, () => request({ port: scene.port, path: longPath })));
  }
  expect(served.destroyed).toBe(true);
  page.destroy();
});

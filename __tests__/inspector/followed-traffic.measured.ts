import net from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { leastCost } from "../helpers/compare-costs.ts";
import { request } from "../helpers/send-raw.ts";
import { followTraffic, type Scene, startScene } from "./scene.ts";

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

test("live traffic ends with the gateway, which waits for no page", async () => {
  const timeToClose = async (): Promise<number> => {
    await scene.close();
    scene = await startScene();
    const following = followTraffic(scene);
    await request({ port: scene.port, path: "/gw/orders/7" });
    const start = performance.now();
    await scene.gateway.close();
    expect((await following).length).toBeGreaterThan(0);
    return performance.now() - start;
  };
  expect(await leastCost({ suspected: timeToClose, most: 2_000 })).toBeLessThan(2_000);
  expect(
    (await request({ port: scene.port, path: "/_gateway/traffic", headers: { Cookie: scene.cookie } })).status,
  ).toBe(503);
});

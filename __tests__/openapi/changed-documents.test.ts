import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { changingWrites, mask } from "../helpers/change-in-place.ts";
import { configOf, type Scene, startScene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

const all = { UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}" };

test("a document is the same for all, whatever middleware makes of the bytes for one client", async () => {
  scene.say({ openapi: "3.0.0", info: { title: "Shop", version: "1" }, paths: {} });
  await scene.use(configOf(scene.service, [all]), {}, { before: changingWrites(mask) });
  for (const page of ["/swagger/docs/v1/shop", "/swagger/docs"]) {
    const { text } = await scene.get(page);
    const changed = await fetch(scene.origin + page, { headers: { "x-name": "ann" } });
    expect([await changed.text(), (await scene.get(page)).text]).toEqual(["#".repeat(text.length), text]);
  }
});

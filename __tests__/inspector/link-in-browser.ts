import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { createProfile, describeInBrowser } from "../helpers/browser.ts";
import { type Scene, startScene } from "./scene.ts";

describeInBrowser("the link of the inspector in Chromium", () => {
  let profile: BrowserContext;
  let scene: Scene;
  let page: Page;
  beforeAll(async () => {
    profile = await createProfile();
  });
  afterAll(() => profile.close());
  beforeEach(async () => {
    scene = await startScene();
    page = await profile.newPage();
  });
  afterEach(async () => {
    await page.close();
    await profile.clearCookies();
    await scene.close();
  });

  test("leaves nothing of the secret in the address, and is good for later visits", async () => {
    const address = `http://localhost:${scene.port}/_gateway/`;
    for (const start of [scene.link, address, scene.link]) {
      await page.goto("about:blank");
      await page.goto(start);
      await page.getByText("Gateway ready: 4 routes").waitFor();
      await page.waitForURL(address);
      expect(await page.evaluate("[location.href, document.cookie]")).toEqual([address, ""]);
    }
  });

  test("is asked for, and works in the same tab", async () => {
    await page.goto(`http://localhost:${scene.port}/_gateway/`);
    await page.getByText("The inspector opens by its link").waitFor();
    await page.goto(scene.link.replace(/=.*/, "=wrong"));
    await page.getByText("The link is not of this start.").waitFor();
    await page.goto(scene.link);
    await page.getByText("Gateway ready: 4 routes").waitFor();
  });
});

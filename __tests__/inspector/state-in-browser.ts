import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { describeInBrowser, findBrowser } from "../helpers/browser.ts";
import { request } from "../helpers/send-raw.ts";
import { markup, startStateScene, type StateScene } from "./state-scene.ts";

describeInBrowser("the state of a gateway in Chromium", () => {
  let scene: StateScene;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    scene = await startStateScene();
    page = await (await findBrowser()).newPage();
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("dialog", (dialog) => {
      complaints.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(scene.link);
    await page.getByText("Gateway ready: 7 routes").waitFor();
    await page.locator("#hosts tr").first().waitFor();
    // Chromium notes that the page was refused before the link had done its work.
    expect(complaints.splice(0).filter((text) => !text.includes("403 (Forbidden)"))).toEqual([]);
  });
  afterAll(async () => {
    await page.close();
    await scene.close();
  });

  const rows = (table: string): Promise<string[]> => page.locator(`#${table} tr`).allInnerTexts();
  const line = (name: string): Promise<string | null> => page.locator(`#${name}-line`).getAttribute("d");

  test("the graphs move when requests come, and tell errors from others", async () => {
    expect([await line("requests"), await line("errors")]).toEqual(["", ""]);
    for (const path of ["/plain", "/plain", "/found"]) await scene.ask(path);
    await page.getByText("3 requests, at most").waitFor();
    await page.getByText("1 errors, at most 1 in a second").waitFor();
    expect(await line("requests")).toMatch(/^(M\d+\.\d 100V\d+\.\d)+$/);
    expect(await line("errors")).toMatch(/^M\d+\.\d 100V4\.0$/);
    expect(await line("slow")).toMatch(/^M/);
    expect(await page.locator("#latency-words").innerText()).toMatch(/^half within [\d.]+ ms, 95 % within [\d.]+ ms$/);
  });

  test("the table of hosts changes when a host dies", async () => {
    const { origin } = scene.second;
    const row = page.locator("#hosts tr", { hasText: origin });
    expect(await row.innerText()).toMatch(
      /^pair\s+http:\S+\s+up\s+0\s+1\s+CookieStickySessions, sticky\s+the configuration$/,
    );
    await scene.second.refuse();
    for (let time = 0; time < 4; time += 1) await scene.ask("/pair");
    await row.getByText(/^open, tries again in \d+ s$/).waitFor();
    expect((await rows("hosts"))[0]).toContain(origin);
    await page.locator("#state", { hasText: `It does without host ${origin} of route pair` }).waitFor();
  });

  test("a button throws cached answers away, and keeps the focus while counts change", async () => {
    for (const path of ["/cached", "/cached", "/other", "/other"]) await scene.ask(path);
    await page.getByText("2 entries in memory").waitFor();
    const button = page.getByRole("button", { name: "Purge route other" });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByText(/^Purged route other at/).waitFor();
    await page.getByText("1 entries in memory").waitFor();
    await scene.ask("/other");
    await page.locator("#caches tr", { hasText: /^other60 s–12/ }).waitFor();
    expect(await button.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await page.getByRole("button", { name: `Purge region ${markup}` }).click();
    await page.getByText("1 entries in memory").waitFor();
    await page.getByRole("button", { name: "Purge all" }).click();
    await page.getByText("0 entries in memory").waitFor();
  });

  test("limits, aggregates, services and reloads have tables of their own, which are there when they have rows", async () => {
    for (let time = 0; time < 3; time += 1) await scene.ask("/limited");
    await page.locator("#limits tr", { hasText: /^limited2 per 1h for each Oc-Client31429$/ }).waitFor();
    expect(await page.locator("#limits-note").innerText()).toBe("Counted in the memory of this process.");
    expect(await rows("aggregates")).toEqual([expect.stringMatching(/^both\s+\/both\s+limited, cached\s+0$/)]);
    expect(await rows("services")).toEqual([
      expect.stringMatching(/^orders\s+.+\s+1\s+http:\/\/orders.test:1\s+\d+ s ago$/),
    ]);
    expect(await page.getByRole("heading", { name: "Reloads" }).isHidden()).toBe(true);
    await scene.gateway.reload({ routes: [] } as never).catch(() => undefined);
    await page.getByRole("heading", { name: "Reloads" }).waitFor();
    expect(await rows("reloads")).toEqual([expect.stringMatching(/refused\s+gateway.reload\(\) takes/)]);
  });

  test("nothing that clients, configurations or registries say becomes markup", async () => {
    const headers = { "X-Forwarded-Host": markup, Referer: markup, "User-Agent": markup, "Oc-Client": markup };
    for (const path of [`/gw/plain?${encodeURI(markup)}`, `/gw/limited?<b>${markup.replaceAll(" ", "/")}`]) {
      await request({ port: scene.port, path, headers });
    }
    await page.locator("#traffic tr", { hasText: "<b>" }).waitFor();
    await page.locator("#hosts tr", { hasText: markup }).first().waitFor();
    await page.locator("#services tr", { hasText: markup }).waitFor();
    expect(await page.locator("img, #traffic b").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

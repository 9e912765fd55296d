import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { describeInBrowser, findBrowser } from "../helpers/browser.ts";
import { runExample, type RunningExample } from "./run-example.ts";

describeInBrowser("the start page in a browser", () => {
  let example: RunningExample;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    example = await runExample();
    browser = await findBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("Failed to load resource"))
        complaints.push(message.text());
    });
    await page.goto(`${example.origin}/`);
  });

  afterAll(async () => {
    await page.close();
    await example.interrupt();
  });

  /** Clicks the nth request of a route's card and reads what the card then shows. */
  async function click(route: string, nth = 0): Promise<string[]> {
    const card = page.locator(`.card[data-route="${route}"]`);
    await card.locator(".ask").nth(nth).click();
    await card.locator(".result:not([aria-busy]) .hops").waitFor();
    return card.locator(".hops > li").allInnerTexts();
  }

  test("shows what was asked, what the gateway asked, who got it, and the answer", async () => {
    const hops = await click("accounts", 1);
    expect(hops.map((hop) => hop.replace(/\s+/g, " ").replace(/\d+ ms$/, "… ms"))).toEqual([
      "You asked the gateway GET /gw/accounts/900?PartitionKind=Int64Range&PartitionKey=900",
      expect.stringMatching(
        /^The gateway asked GET http:\/\/localhost:\d+\/Shop\/Accounts\/accounts\/900\?PartitionKind=Int64Range&PartitionKey=900 Route accounts$/,
      ),
      "A service got GET /accounts/900 Shop/Accounts, primary of 500 to 999",
      "You got 200 OK application/json, 81 bytes, … ms",
    ]);
    expect(await page.locator('[data-route="accounts"] pre').first().innerText()).toBe(
      '{"service":"Shop/Accounts, primary of 500 to 999","received":"GET /accounts/900"}',
    );
  });

  test.each([
    ["accounts", 2, "Found nobody to ask", "400 FABRIC_E_INVALID_PARTITION_KEY"],
    ["admin", 0, "Sent nothing", "403 Forbidden"],
    ["", 0, "No route matched", "404 Not Found"],
    ["notes", 0, "PUT /notes/latest", "200 OK"],
    ["echo", 0, "The service said", "Hello?"],
    ["tenant", 0, "/tenants/acme/profile", "200 OK"],
    ["ledger", 0, "Sent nothing", "401 Unauthorized"],
    ["ledger", 1, "with a token of laura", "200 OK"],
    ["ledger", 2, "with a token of tom", "403 Forbidden"],
  ])("%s, request %i: tells that it went %j and ended in %s", async (route, nth, passage, status) => {
    const hops = (await click(route, nth)).join("\n");
    expect(hops).toContain(passage);
    expect(hops).toContain(status);
  });

  test("a live service ticks on the page, until something else is asked", async () => {
    const card = page.locator('.card[data-route="ticker"]');
    await card.locator(".ask").first().click();
    const ticking = card.locator(".ticking");
    const before = Number(await ticking.innerText());
    await ticking.getByText(String(before + 2), { exact: true }).waitFor();
    const hops = (await click("ticker", 1)).join("\n");
    expect(hops).toContain("Shop/Ticker, a live service");
    expect(await ticking.count()).toBe(0);
  });

  test("the inspector tells as what a user was let in, and shows neither the token nor whose it is", async () => {
    const inspector = await browser.newPage();
    await inspector.goto(/http:\S+#token=\S+/.exec(example.welcome)![0]);
    await click("members", 1);
    // The table of routes has a row for it, too, which tells nobody's pseudonym.
    const row = inspector.locator("tr", { hasText: "/members" }).filter({ hasText: /Login [\w-]{16}/ });
    await row.first().waitFor();
    expect(await row.first().innerText()).toMatch(/\b200\b/);
    // Every signed token begins with eyJ.
    expect(await inspector.content()).not.toMatch(/laura|eyJ/);
    await inspector.close();
  });

  test("shows text as it is, and never as a part of the page", async () => {
    await click("html");
    const shown = page.locator('[data-route="html"] pre').first();
    expect(await shown.innerText()).toMatch(/^<!doctype html>/);
    expect(await shown.locator("h1").count()).toBe(0);
  });

  test("shows the bytes of a binary answer", async () => {
    await click("binary");
    expect(await page.locator('[data-route="binary"] pre').first().innerText()).toMatch(/^00 01 02 .* fe ff$/);
  });

  test("every request of the page can be asked with the keyboard", async () => {
    const card = page.locator('.card[data-route="catalog"]');
    await card.locator(".ask").first().focus();
    await page.keyboard.press("Enter");
    await card.locator(".result:not([aria-busy]) .hops").waitFor();
    expect(await card.locator(".hops").innerText()).toContain("GET /items/42");
  });

  test("fits a narrow screen", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(overflow).toBe(0);
  });

  test("has one main part, ordered headings, and a name for every control and list of results", async () => {
    const structure = await page.evaluate(`({
      mains: document.querySelectorAll("main").length,
      levels: [...document.querySelectorAll("h1, h2, h3, h4")].map((heading) => Number(heading.tagName[1])),
      unnamed: [...document.querySelectorAll("a, button")].filter((control) => control.textContent.trim() === "").length,
      repeatedIds: [...document.querySelectorAll("[id]")].length - new Set([...document.querySelectorAll("[id]")].map(({ id }) => id)).size,
    })`);
    const { levels, ...rest } = structure as { levels: number[] };
    expect(rest).toEqual({ mains: 1, unnamed: 0, repeatedIds: 0 });
    expect(levels.filter((level, index) => index > 0 && level > levels[index - 1]! + 1)).toEqual([]);
  });

  test("without JavaScript the links lead to the answers themselves", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const other = await plain.newPage();
    await other.goto(`${example.origin}/`);
    await other.locator('.card[data-route="catalog"] .ask').first().click();
    expect(await other.locator("body").innerText()).toContain("GET /items/42");
    await plain.close();
  });

  test("the browser complained about nothing, its security policy included", () => {
    expect(complaints).toEqual([]);
  });
});

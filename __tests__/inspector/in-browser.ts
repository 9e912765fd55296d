import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { parseConfig } from "../../src/index.ts";
import { createProfile, describeInBrowser, findBrowser } from "../helpers/browser.ts";
import { request } from "../helpers/send-raw.ts";
import { configFor, type Scene, secrets, startScene } from "./scene.ts";

const markup = "<img src=x onerror=alert(1)>";

describeInBrowser("the inspector in Chromium", () => {
  let profile: BrowserContext;
  let scene: Scene;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    profile = await createProfile();
  });
  afterAll(() => profile.close());

  beforeEach(async () => {
    scene = await startScene();
    page = await profile.newPage();
    complaints = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(scene.link);
    await page.getByText("Gateway ready: 4 routes").waitFor();
    // Chromium notes that the page was refused before the link had done its work.
    expect(complaints.splice(0).filter((text) => !text.includes("403 (Forbidden)"))).toEqual([]);
  });
  afterEach(async () => {
    await page.close();
    await profile.clearCookies();
    await scene.close();
  });

  async function explain(method: string, path: string, headers = ""): Promise<string> {
    await page.getByLabel("Method").fill(method);
    await page.getByLabel("Path, below the mount path").fill(path);
    await page.getByLabel("Headers, one per line").fill(headers);
    await page.getByRole("button", { name: "Explain", exact: true }).first().click();
    await page.locator("#explanation .answer").waitFor();
    return page.locator("#explanation").innerText();
  }

  test("explains a request, with what would be sent and where metadata comes from", async () => {
    await page.getByLabel("Address of the client").fill("10.1.2.3");
    const told = await explain("get", "/orders/a b", "X-Own: 1\nAuthorization: bearer-secret");
    expect(told).toContain(`Route "orders" sends it to ${scene.upstream.origin}/api/orders/a%20b?api=***`);
    expect(told).toMatch(/\{id\}\s+"a%20b", decoded "a b" \(from the path\)/);
    expect(told).toMatch(/x-own\s+1/);
    expect(told).toMatch(/x-forwarded-for\s+10\.1\.2\.3/);
    expect(told).toMatch(/team\s+"orders <b>bold<\/b>" \(from the route, instead of "nobody" of GlobalConfiguration\)/);
    expect(told).toContain('down /down – no – path: segment 1 is "orders", the template has "down"');
    expect(complaints).toEqual([]);
  });

  test("says why a request is refused, or taken by no route", async () => {
    expect(await explain("GET", "/orders/..%2Fadmin")).toContain("answered 400 (path-dot-segment)");
    await page.getByLabel("Path, below the mount path").fill("/orders");
    await page.getByLabel("Method").fill("POST");
    await page.getByLabel("Method").press("Enter");
    await page.getByText("No route takes it").waitFor();
    expect(await page.locator("#explanation").innerText()).toContain("method: the method is POST, the route takes GET");
    expect(complaints).toEqual([]);
  });

  test("shows traffic as it happens, as text only, and no secret anywhere", async () => {
    const paths = [`/gw/orders/${encodeURI(markup)}?token=asked-secret`, "/gw/down", "/gw/reset/asked-secret"];
    for (const path of paths) await request({ port: scene.port, path });
    // A client may send them raw.
    await request({ port: scene.port, path: "/gw/orders/<b>raw</b>" });
    await page.getByText("4 requests, 2xx: 3, 5xx: 1").waitFor();
    const rows = await page.locator("#traffic tr").allInnerTexts();
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(/GET\s+\/orders\/<b>raw<\/b>\s+orders\s+–\s+http:\S+\s+200/);
    expect(rows[2]).toMatch(/GET\s+\/down\s+down\s+–\s+http:\/\/127.0.0.1:1\/\s+502 upstream-refused/);
    expect(await page.locator("#errors tr").allInnerTexts()).toEqual([
      expect.stringMatching(/upstream-refused\s+down\s+1/),
    ]);
    expect(await page.locator("#traffic b, #traffic img").count()).toBe(0);
    await page.getByRole("button", { name: "Explain GET /down" }).click();
    await page.getByText('Route "down" sends it to http://127.0.0.1:1/').waitFor();
    const everything = await page.content();
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("lists the routes, filters them, and lists them anew after a reload", async () => {
    const routes = page.locator("#routes tr");
    await routes.first().waitFor();
    expect(await routes.count()).toBe(4);
    expect(await routes.first().innerText()).toContain('db.password = "***"');
    expect(await routes.last().innerText()).toContain("Partners, scope orders.read");
    expect(await routes.last().innerText()).toContain("90 per 1m for each identity");
    await page.getByLabel("Filter").fill("reset");
    await page.getByText("1 of 4 routes").waitFor();
    expect(await routes.count()).toBe(1);
    const config = configFor(scene.upstream.port) as { Routes: object[] };
    config.Routes.push({ ...config.Routes[2], Key: "reset-again", UpstreamPathTemplate: "/again" });
    await scene.gateway.reload(parseConfig(config, { logger: false }));
    // The next news tell of it.
    await request({ port: scene.port, path: "/gw/orders/1" });
    await page.getByText("2 of 5 routes").waitFor();
    expect(complaints).toEqual([]);
  });

  test("shows who was let in", async () => {
    await request({ port: scene.port, path: "/gw/partners", headers: { "X-Api-Key": "bearer-secret" } });
    await page.getByText(/^Partners [\w-]{16}$/).waitFor();
    await page.getByRole("button", { name: "Explain GET /partners" }).first().click();
    await page.locator("#explanation").getByText("Partners, scope orders.read").waitFor();
  });

  test("pauses, and goes on with what came meanwhile", async () => {
    await page.getByRole("button", { name: "Pause" }).click();
    await request({ port: scene.port, path: "/gw/orders/1" });
    await page.getByText("Paused, 1 new.").waitFor();
    expect(await page.locator("#traffic tr").count()).toBe(0);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("1 shown.").waitFor();
    expect(await page.locator("#traffic tr").count()).toBe(1);
  });

  test("runs no script that is not its own, and lets nobody frame it", async () => {
    const violations = await page.evaluate(`new Promise((resolve) => {
      const seen = [];
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        seen.push(effectiveDirective);
        if (seen.length === 3) resolve(seen.toSorted());
      });
      const script = document.createElement("script");
      try { script.textContent = "document.title = 'taken'"; } catch {}
      document.body.append(script);
      try { document.body.innerHTML = "x"; } catch {}
      fetch("http://127.0.0.1:1/").catch(() => {});
    })`);
    expect(violations).toEqual(["connect-src", "require-trusted-types-for", "require-trusted-types-for"]);
    expect(await page.title()).toBe("waymark inspector");
  });

  test("is refused to a page of another origin, and by another name", async () => {
    const other = await startScene();
    const stranger = await (await findBrowser()).newPage();
    await stranger.goto(`http://localhost:${other.port}/_gateway/style.css`);
    const result = await stranger.evaluate(`Promise.all([
      fetch("http://localhost:${scene.port}/_gateway/routes").then(() => "read", () => "not read"),
      fetch("http://localhost:${scene.port}/_gateway/explain", { method: "POST", mode: "no-cors" }).then(({ type }) => type, () => "not sent"),
    ])`);
    expect(result).not.toContain("read");
    const rebound = await stranger.goto(`http://rebound.localhost:${scene.port}/_gateway/`);
    expect(rebound!.status()).toBe(403);
    await stranger.close();
    await other.close();
  });

  test("has enough contrast, dark and light", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const colours = await page.evaluate<Record<string, string>>(`Object.fromEntries(
        ["ground", "raised", "ink", "quiet", "accent", "good", "bad", "odd"].map((name) =>
          [name, getComputedStyle(document.documentElement).getPropertyValue("--" + name)]))`);
      const { ground, raised, ...inks } = colours;
      const low = [ground!, raised!].flatMap((behind) =>
        Object.entries(inks).filter(([, ink]) => contrast(ink, behind) < 4.5),
      );
      expect([colorScheme, low]).toEqual([colorScheme, []]);
      expect(await page.evaluate(`getComputedStyle(document.body).backgroundColor`)).toBe(
        colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(21, 24, 28)",
      );
    }
  });

  test("can be used with the keyboard, and every field and table has a name", async () => {
    const unnamed =
      await page.evaluate(`[...document.querySelectorAll("input, textarea, button, table, [role=region], section")]
      .filter((one) => !(one.labels?.length || one.caption || one.textContent.trim() && one.tagName === "BUTTON" || one.getAttribute("aria-labelledby")))
      .map((one) => one.outerHTML)`);
    expect(unnamed).toEqual([]);
    const reached: string[] = [];
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate<string>(`document.activeElement.id || document.activeElement.textContent`));
    }
    expect(reached.slice(0, 9)).toEqual([
      "Skip to the content",
      "method",
      "path",
      "host",
      "address",
      "headers",
      "Explain",
      "pause",
      "clear",
    ]);
  });
});

/** As WCAG 2 measures it. */
function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((start) => Number.parseInt(colour.trim().slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

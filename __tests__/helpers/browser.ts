import { existsSync } from "node:fs";
import { describe } from "@jest/globals";
import { type Browser, type BrowserContext, chromium } from "playwright-core";

const candidates = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/google-chrome"];
const executablePath = candidates.find((path) => path !== undefined && existsSync(path));
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-features=SpareRendererForSitePerProcess,Translate,OptimizationHints,MediaRouter",
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
  "--disable-software-rasterizer",
  "--disable-extensions",
  "--mute-audio",
];

/** Describes what needs a browser; where there is none, it is skipped and says so. */
export function describeInBrowser(what: string, tests: () => void): void {
  if (executablePath !== undefined) {
    describe(what, tests);
    return;
  }
  console.warn(`Not tried in a browser: ${what}. No chromium was found; install one, or set CHROMIUM_PATH.`);
  describe.skip(what, tests);
}

let launched: Promise<Browser> | undefined;

/** The browser, which starts when it is first asked for. */
export function findBrowser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: executablePath!, args: flags });
  return launched;
}

/** Ends the browser if it was started. */
export async function closeBrowser(): Promise<void> {
  await (await launched)?.close();
  launched = undefined;
}

/** A profile with one process for all its pages, which stays between them: its start takes longer than most tests. */
export async function createProfile(): Promise<BrowserContext> {
  const profile = await (await findBrowser()).newContext();
  await profile.newPage();
  return profile;
}

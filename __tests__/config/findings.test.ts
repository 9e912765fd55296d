import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { parseConfig } from "../../src/config/parse-config.ts";
import { ConfigError } from "../../src/errors.ts";
import { createLogBook } from "./configurations.ts";

/** A configuration as text, and all that is said of it: at the start, or where somebody checks it. */
type Row = Readonly<{ about: string; lint?: true; text: string; says: readonly string[] }>;

const rows = JSON.parse(
  readFileSync(new URL("../fixtures/config-findings.json", import.meta.url), "utf8"),
) as readonly Row[];

test.each(rows)("What is said of $about", ({ text, lint, says }) => {
  const { logger, lines } = createLogBook();

  let isRefused = false;
  try {
    parseConfig(text, { logger, lint: lint === true });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    isRefused = true;
  }

  expect(lines.map((line) => line.replace(/^warn /, "warning "))).toEqual(says);
  expect(isRefused).toBe(says.some((line) => line.startsWith("error ")));
});

test("There is a row for each of many things", () => {
  expect(new Set(rows.map(({ text }) => text)).size).toBeGreaterThanOrEqual(150);
});

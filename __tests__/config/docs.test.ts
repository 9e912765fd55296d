import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { knownKeys, type SectionName } from "../../src/config/known-keys.ts";
import { locks, routeSources } from "../../src/config/locks.ts";
import { oldKeys } from "../../src/config/old-keys.ts";
import { problemCodes } from "../../src/config/problem-codes.ts";
import { unsupportedKeys } from "../../src/config/unsupported-keys.ts";

const configuration = readPage("configuration.md");
const comingFromOcelot = readPage("coming-from-ocelot.md");
const errors = readPage("errors.md");

const headings: Readonly<Record<SectionName, string>> = {
  root: "Top level",
  route: "Route",
  host: "Host",
  global: "GlobalConfiguration",
  provider: "ServiceDiscoveryProvider",
  options: "MetadataOptions",
  loadBalancer: "LoadBalancerOptions",
  limits: "Limits",
  tls: "Tls",
};

function readPage(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
}

/** The rows below a heading, cell by cell. */
function rowsBelow(page: string, heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function codesIn(cell: string | undefined): string[] {
  return [...(cell ?? "").matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

describe("docs/configuration.md", () => {
  test.each(Object.entries(headings))("the keys of %s are those below %j", (section, heading) => {
    const documented = rowsBelow(configuration, heading).map(([key]) => codesIn(key)[0]);

    expect(documented).toEqual(Object.keys(knownKeys[section as SectionName]));
  });

  test("every row says type, default and meaning", () => {
    const rows = Object.values(headings).flatMap((heading) => rowsBelow(configuration, heading));

    expect(rows.filter(([, type, standard, meaning]) => !type || !standard || !meaning)).toEqual([]);
  });

  test("every code in it exists, and every error about a value is in it", () => {
    const rows = Object.values(headings).flatMap((heading) => rowsBelow(configuration, heading));
    const named = new Set(rows.flatMap((row) => codesIn(row[4])));

    expect([...named].filter((code) => !(code in problemCodes))).toEqual([]);
    const ofNoKey = /^(file|json|lock|routes-|wrong)/;
    const errorCodes = Object.entries(problemCodes).filter(([, kind]) => kind === "error");
    expect(errorCodes.map(([code]) => code).filter((code) => !ofNoKey.test(code) && !named.has(code))).toEqual([]);
  });
});

test("docs/coming-from-ocelot.md names every key of Ocelot that is refused, has no effect, or is old", () => {
  const tables = [locks, routeSources, ...Object.values(unsupportedKeys)];
  const names = [
    ...tables.flatMap((table) => Object.keys(table)),
    ...Object.values(oldKeys).flatMap((keys) => keys.map(({ name }) => name)),
  ];
  const tableRows = comingFromOcelot.split("\n").filter((line) => line.startsWith("|"));
  const documented = new Set(tableRows.flatMap(codesIn).map((code) => code.replace(/^.*\./, "")));

  expect(names.filter((name) => !documented.has(name))).toEqual([]);
});

test("docs/errors.md says of each problem whether it stops the start", () => {
  const documented = rowsBelow(errors, "Configuration problems").map(([code, kind]) => [codesIn(code)[0], kind]);

  expect(documented).toEqual(Object.entries(problemCodes));
});

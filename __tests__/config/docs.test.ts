import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { classifyOcelotKeys } from "../../scripts/ocelot-keys.ts";
import { problemCodes } from "../../src/schema/problem-codes.ts";
import { allSections } from "../../src/config/sections.ts";

const configuration = readPage("configuration.md");
const comingFromOcelot = readPage("coming-from-ocelot.md");
const errors = readPage("errors.md");

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
  test.each(allSections)(
    "the rows below $heading are what the source says; npm run build:key-tables writes them",
    ({ heading, keys }) => {
      expect(rowsBelow(configuration, heading)).toEqual(
        Object.entries(keys).map(([name, { type, otherwise, means, problems = [] }]) => {
          return [`\`${name}\``, type, otherwise, means, problems.map((code) => `\`${code}\``).join(" ")];
        }),
      );
    },
  );

  test("every code in it exists, and every error about a value is in it", () => {
    const rows = allSections.flatMap(({ heading }) => rowsBelow(configuration, heading));
    const named = new Set(rows.flatMap((row) => codesIn(row[4])));

    expect([...named].filter((code) => !(code in problemCodes))).toEqual([]);
    const ofNoKey = /^(file|global-repeated|json|lock|overlay|routes-|variable|wrong)/;
    const errorCodes = Object.entries(problemCodes).filter(([, kind]) => kind === "error");
    expect(errorCodes.map(([code]) => code).filter((code) => !ofNoKey.test(code) && !named.has(code))).toEqual([]);
  });
});

describe("docs/coming-from-ocelot.md", () => {
  const rows = comingFromOcelot
    .slice(comingFromOcelot.indexOf("## Every key\n"), comingFromOcelot.indexOf("## What differs\n"))
    .split("\n")
    .filter((line) => /^\| .*`/.test(line))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));

  test("classifies every key as the checker does; npm run build:ocelot-table writes it", () => {
    const places: Record<string, string> = Object.fromEntries(allSections.map(({ name, heading }) => [name, heading]));
    places.host = "DownstreamHostAndPorts";

    expect(rows.map(([place, key, verdict, remark]) => [place!.replaceAll("`", ""), key, verdict, remark])).toEqual(
      classifyOcelotKeys().map(({ section, name, verdict, remark }) => {
        return [places[section], `\`${name}\``, verdict, remark];
      }),
    );
  });

  test("leaves out no key of Ocelot's own classes", () => {
    const { keys } = JSON.parse(
      readFileSync(new URL("../fixtures/config/ocelot-keys.json", import.meta.url), "utf8"),
    ) as { keys: Record<string, string[]> };
    const classified = new Set(classifyOcelotKeys().map(({ section, name }) => `${section}.${name}`));

    const missing = Object.entries(keys).flatMap(([section, names]) => {
      return names.map((key) => `${section}.${key}`).filter((key) => !classified.has(key));
    });
    expect(missing).toEqual([]);
  });

  test("says how a key differs, and what to use where there is none", () => {
    const silent = classifyOcelotKeys().filter(({ verdict, remark }) => (verdict === "same") !== (remark === ""));

    expect(silent).toEqual([]);
  });
});

test("docs/errors.md says of each problem whether it stops the start", () => {
  const documented = rowsBelow(errors, "Configuration problems").map(([code, kind]) => [codesIn(code)[0], kind]);

  expect(documented).toEqual(Object.entries(problemCodes));
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { problemCodes } from "../src/schema/problem-codes.ts";
import { errorCodes } from "../src/errors.ts";

const text = readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8");

/** The rows of the first table below a heading, cell by cell, without the table's own heading. */
function rowsBelow(heading: string): string[][] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const table = /(?:^\|.*\n?)+/m.exec(section)?.[0] ?? "";
  const lines = table.trimEnd().split("\n").slice(2);
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function codeOf([cell = ""]: string[]): string {
  return cell.replaceAll("`", "");
}

describe("docs/errors.md", () => {
  test("has one row for each error code, with its status, and no other row", () => {
    const documented = rowsBelow("Errors").map((row) => [codeOf(row), Number(row[1])]);
    expect(documented.toSorted()).toEqual(Object.entries(errorCodes).toSorted());
  });

  test("has one row for each code of a configuration problem, and no other row", () => {
    expect(rowsBelow("Configuration problems").map(codeOf).toSorted()).toEqual(Object.keys(problemCodes).toSorted());
  });

  test.each(["Errors", "Configuration problems"])("every row of %s says when, and what to do", (heading) => {
    const incomplete = rowsBelow(heading).filter((row) => row.length < 3 || row.some((cell) => cell === ""));
    expect(incomplete).toEqual([]);
  });
});

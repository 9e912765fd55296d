import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { Decimal } from "../../src/dotnet/decimal.ts";
import { tokens } from "../../src/capabilities/metadata/types-by-name.ts";

const page = readFileSync(new URL("../../docs/metadata.md", import.meta.url), "utf8");
const section = page.slice(page.indexOf("\n## Types"), page.indexOf("\n## Options"));
const [, , ...rows] = section.split("\n").filter((line) => line.startsWith("|"));
const cells = rows.map((row) =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim()),
);

/** How the page writes the value that a token gives where there is none. */
function written(absent: unknown): string {
  if (absent instanceof Decimal) return "`Decimal` zero";
  return typeof absent === "bigint" ? `\`${absent}n\`` : `\`${String(absent)}\``;
}

describe("docs/metadata.md", () => {
  test("lists every token, in order, with what it gives without a value", () => {
    const documented = cells.filter(([type]) => type !== "a schema").map(([type, , absent]) => [type, absent]);
    expect(documented).toEqual(Object.entries(tokens).map(([name, { absent }]) => [`\`${name}\``, written(absent)]));
  });

  test("tells the range of every integer type", () => {
    const ranges = Object.entries(tokens).filter(([, { expected }]) => expected.startsWith("an integer"));
    expect(ranges).toHaveLength(8);
    for (const [name, { expected }] of ranges) {
      expect(cells.find(([type]) => type === `\`${name}\``)?.[3]).toBe(expected);
    }
  });
});

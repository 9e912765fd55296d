import type { CommandIo } from "../command.ts";

/** Rows with aligned columns below a heading; the last column is not padded. */
export function printTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  style: CommandIo["style"],
): string {
  const widths = heading.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const lines = [heading, ...rows].map((row) => {
    return row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  });
  const [first = "", ...others] = lines;
  return `${[style("bold", first), ...others].join("\n")}\n`;
}

import { escapeControls } from "../../logging/escape-controls.ts";
import type { CommandIo } from "../command.ts";

/** Rows with aligned columns below a heading; the last column is not padded. */
export function printTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  style: CommandIo["style"],
): string {
  const shown = rows.map((row) => row.map(escapeControls));
  const widths = heading.map((title, column) => {
    return shown.reduce((widest, row) => Math.max(widest, row[column]!.length), title.length);
  });
  const lines = [heading, ...shown].map((row) => {
    return row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  });
  const [first = "", ...others] = lines;
  return `${[style("bold", first), ...others].join("\n")}\n`;
}

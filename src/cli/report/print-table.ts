import { escapeControls } from "../../logging/escape-controls.ts";
import type { CommandIo } from "../command.ts";
import { wrapText, widestLine } from "./wrap-text.ts";

/** A row of a table, and what is said below it, by its title. */
type TableRow = Readonly<{ cells: readonly string[]; notes: readonly Note[] }>;

/** One thing that is said below a row; one without text is left out. */
type Note = readonly [title: string, text: string];

const between = "  ";
// The order and the name of a row always stand in it.
const fewestColumns = 2;

/** Rows with aligned columns below a heading: as many columns as have room; what the others would say stands below each row. */
export function printTable(heading: readonly string[], rows: readonly TableRow[], style: CommandIo["style"]): string {
  const shown = rows.map(({ cells, notes }) => ({
    cells: cells.map(escapeControls),
    notes: notes.map(([title, text]): Note => [title, escapeControls(text)]),
  }));
  const widths = heading.map((title, column) => {
    return shown.reduce((width, { cells }) => Math.max(width, cells[column]!.length), title.length);
  });
  const count = countFitting(widths);
  const indent = " ".repeat(widths[0]! + between.length);
  const lines = shown.flatMap(({ cells, notes }) => {
    const folded = heading.slice(count).map((title, index): Note => [title, cells[count + index]!]);
    const said = [...folded, ...notes].filter(([, text]) => text !== "");
    return [printCells(cells, widths, count), ...said.flatMap((note) => printNote(note, indent))];
  });
  return `${[style("bold", printCells(heading, widths, count)), ...lines].join("\n")}\n`;
}

function countFitting(widths: readonly number[]): number {
  let count = widths.length;
  while (count > fewestColumns && lengthOf(widths.slice(0, count)) > widestLine) count -= 1;
  return count;
}

function lengthOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + between.length, -between.length);
}

function printCells(cells: readonly string[], widths: readonly number[], count: number): string {
  const padded = cells.slice(0, count).map((cell, column) => cell.padEnd(widths[column]!));
  return padded.join(between).trimEnd();
}

function printNote([title, text]: Note, indent: string): readonly string[] {
  const [first = "", ...more] = wrapText(`${title}: ${text}`, widestLine - indent.length - between.length);
  return [`${indent}${first}`, ...more.map((line) => `${indent}${between}${line}`)];
}

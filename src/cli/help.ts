import type { Command, CommandIo, CommandOption } from "./command.ts";
import { widestLine, wrapText } from "./report/wrap-text.ts";

type Style = CommandIo["style"];
type Row = readonly [left: string, right: string];

/** What `waymark --help` shows. */
export function formatProgramHelp(commands: readonly Command[], style: Style): string {
  return joinParts([
    "waymark runs an API gateway from one JSON file in Ocelot's format, and looks into such files.",
    section("Usage", ["waymark <command> [options]"], style),
    section("Commands", alignRows(commands.map(({ name, summary }) => [name, summary])), style),
    section("Options", alignRows([helpRow, ["-v, --version", "Show the version"]]), style),
    "See waymark <command> --help for the options of a command, with examples.",
  ]);
}

/** What `waymark <command> --help` shows. */
export function formatCommandHelp({ name, summary, usage, options, examples }: Command, style: Style): string {
  const rows = Object.entries(options).map(([option, details]): Row => [leftOf(option, details), rightOf(details)]);
  return joinParts([
    `${summary}.`,
    section("Usage", [["waymark", name, usage, "[options]"].filter((part) => part !== "").join(" ")], style),
    section("Options", alignRows([...rows, helpRow]), style),
    section(
      "Examples",
      examples.flatMap(({ line, explanation }) => [style("dim", `# ${explanation}`), line]),
      style,
    ),
  ]);
}

const helpRow: Row = ["-h, --help", "Show this help"];

function leftOf(name: string, { short, type, value = "value" }: CommandOption): string {
  const long = type === "boolean" ? `--${name}` : `--${name} <${value}>`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}

function rightOf({ description, choices, multiple, default: standard }: CommandOption): string {
  const notes = [
    ...(choices === undefined ? [] : [choices.join(" or ")]),
    ...(multiple === true ? ["repeatable"] : []),
    ...(standard === undefined ? [] : [`default: ${standard}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}

function section(title: string, lines: readonly string[], style: Style): string {
  return [style("bold", `${title}:`), ...lines.map((line) => `  ${line}`)].join("\n");
}

const indent = 2;
const gap = "  ";

/** Two columns; where the right one is too wide, it goes on below itself. */
function alignRows(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) => {
    const lines = wrapText(right, widestLine - indent - width - gap.length);
    return lines.map((line, index) => `${(index === 0 ? left : "").padEnd(width)}${gap}${line}`);
  });
}

function joinParts(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}

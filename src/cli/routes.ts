import type { RouteHeaders } from "../explain/describe-transforms.ts";
import { type ListedRoute, listRoutes } from "../explain/list-routes.ts";
import { openToAll } from "../explain/route-access.ts";
import { type CommandIo, defineCommand } from "./command.ts";
import { configOptions } from "./config-options.ts";
import { readWithLines } from "./read-with-lines.ts";
import { printTable } from "./report/print-table.ts";
import { exitCodes } from "./exit-codes.ts";

/** `waymark routes`: the routes in the order in which they are tried. */
export const routes = defineCommand({
  name: "routes",
  summary: "Show the routes of a configuration, in the order in which they are tried",
  usage: "<file|folder> [more files]",
  positionals: { least: 1, most: Infinity },
  options: {
    format: {
      type: "string",
      choices: ["text", "json"],
      default: "text",
      value: "format",
      description: "How to show them",
    },
    ...configOptions,
  },
  examples: [
    { line: "waymark routes gateway.json", explanation: "a table" },
    { line: "waymark routes gateway.json --format json | jq '.[].id'", explanation: "for other programs" },
  ],
  async run({ format, ...values }, paths, io) {
    const { config, lineOf } = await readWithLines(paths, values, io);
    const rows = listRoutes(config).map((route, order) => ({ ...toRow(route, order), line: lineOf(route.index) }));
    io.write(format === "json" ? `${JSON.stringify(rows, undefined, 2)}\n` : printRows(rows, io.style));
    return exitCodes.fine;
  },
});

type Row = ReturnType<typeof toRow> & Readonly<{ line: number | undefined }>;

function toRow(route: ListedRoute, index: number) {
  const { id, kind, file, methods, upstream, downstream: target, priority, access, policies, headers } = route;
  return { order: index + 1, id, kind, methods, upstream, target, priority, access, policies, headers, file };
}

const heading = ["order", "id", "methods", "upstream", "target", "who may come in"];

function printRows(rows: readonly Row[], style: CommandIo["style"]): string {
  const isOpen = rows.every(({ access }) => access.open);
  const shown = rows.map(({ order, id, methods, upstream, target, access, ...route }) => {
    const method = methods.length === 0 ? "any" : methods.join(",");
    const cells = [String(order), id, method, upstream, target, ...(isOpen ? [] : [access.summary])];
    return { cells, notes: notesOf(route) };
  });
  const table = printTable(isOpen ? heading.slice(0, -1) : heading, shown, style);
  return isOpen && rows.length > 0 ? `${table}\n${openToAll}\n` : table;
}

/** What most routes have nothing to say about. */
function notesOf({
  kind,
  priority,
  policies,
  headers,
  file,
  line,
}: Pick<Row, "kind" | "priority" | "policies" | "headers" | "file" | "line">) {
  return [
    ["priority", kind === "dynamic" ? "behind all others" : priority === 1 ? "" : String(priority)],
    ...policies.map(({ title, lines: [brief = ""] }) => [title, brief] as const),
    ["headers changed", nameHeaders(headers)],
    ["file", file === undefined ? "" : `${file}:${line}`],
  ] as const;
}

function nameHeaders({ request, answer }: RouteHeaders): string {
  const ways = [
    ["request", Object.keys(request)],
    ["answer", Object.keys(answer)],
  ] as const;
  return ways.flatMap(([way, names]) => (names.length === 0 ? [] : [`${way}: ${names.join(", ")}`])).join("; ");
}

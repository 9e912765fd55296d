import type { RouteHeaders } from "../explain/describe-transforms.ts";
import type { RouteAccess } from "../explain/route-access.ts";
import { listRoutes } from "../explain/list-routes.ts";
import { type CommandIo, defineCommand, exitCodes } from "./command.ts";
import { configOptions, readConfig } from "./config-options.ts";
import { printTable } from "./report/print-table.ts";

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
    const listed = listRoutes(await readConfig(paths, values, io));
    const rows = listed.map(({ id, methods, upstream, downstream: target, priority, ...route }, index) => {
      const { access, rate, headers, file } = route;
      return { order: index + 1, id, methods, upstream, target, priority, access, rate, headers, file };
    });
    const text = format === "json" ? `${JSON.stringify(rows, undefined, 2)}\n` : printRows(rows, io.style);
    io.write(text);
    return exitCodes.fine;
  },
});

type Row = Readonly<{
  order: number;
  id: string;
  methods: readonly string[];
  upstream: string;
  target: string;
  priority: number;
  access: RouteAccess;
  rate: string | undefined;
  headers: RouteHeaders;
  file: string | undefined;
}>;

/** Columns that most configurations have nothing to say in. */
const furtherColumns: readonly (readonly [title: string, textOf: (row: Row) => string])[] = [
  ["how often", ({ rate = "" }) => rate],
  ["headers changed", ({ headers }) => nameHeaders(headers)],
  ["file", ({ file = "" }) => file],
];

function printRows(rows: readonly Row[], style: CommandIo["style"]): string {
  const further = furtherColumns.filter(([, textOf]) => rows.some((row) => textOf(row) !== ""));
  const cells = rows.map((row) => {
    const { order, id, methods, upstream, target, priority, access } = row;
    const method = methods.length === 0 ? "any" : methods.join(",");
    const shown = [String(order), id, method, upstream, target, String(priority), access.summary];
    return [...shown, ...further.map(([, textOf]) => textOf(row))];
  });
  const titles = ["order", "id", "methods", "upstream", "target", "priority", "who may come in"];
  return printTable([...titles, ...further.map(([title]) => title)], cells, style);
}

function nameHeaders({ request, answer }: RouteHeaders): string {
  const ways = [
    ["request", Object.keys(request)],
    ["answer", Object.keys(answer)],
  ] as const;
  return ways.flatMap(([way, names]) => (names.length === 0 ? [] : [`${way}: ${names.join(", ")}`])).join("; ");
}

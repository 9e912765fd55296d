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
  usage: "<gateway.json>",
  positionals: { least: 1, most: 1 },
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
  async run({ format, ...values }, [file = ""], io) {
    const listed = listRoutes(await readConfig(file, values, io));
    const rows = listed.map(({ id, methods, upstream, downstream: target, priority, access, headers }, index) => {
      return { order: index + 1, id, methods, upstream, target, priority, access, headers };
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
  headers: RouteHeaders;
}>;

function printRows(rows: readonly Row[], style: CommandIo["style"]): string {
  const changed = rows.map(({ headers }) => nameHeaders(headers));
  // Most configurations leave headers as they are.
  const isShown = changed.some((names) => names !== "");
  const cells = rows.map(({ order, id, methods, upstream, target, priority, access }, index) => {
    const method = methods.length === 0 ? "any" : methods.join(",");
    const shown = [String(order), id, method, upstream, target, String(priority), access.summary];
    return isShown ? [...shown, changed[index]!] : shown;
  });
  const titles = ["order", "id", "methods", "upstream", "target", "priority", "who may come in"];
  return printTable(isShown ? [...titles, "headers changed"] : titles, cells, style);
}

function nameHeaders({ request, answer }: RouteHeaders): string {
  const ways = [
    ["request", Object.keys(request)],
    ["answer", Object.keys(answer)],
  ] as const;
  return ways.flatMap(([way, names]) => (names.length === 0 ? [] : [`${way}: ${names.join(", ")}`])).join("; ");
}

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
    const rows = listed.map(({ id, methods, upstream, downstream: target, priority, access }, index) => {
      return { order: index + 1, id, methods, upstream, target, priority, access };
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
}>;

function printRows(rows: readonly Row[], style: CommandIo["style"]): string {
  const cells = rows.map(({ order, id, methods, upstream, target, priority, access }) => {
    const method = methods.length === 0 ? "any" : methods.join(",");
    return [String(order), id, method, upstream, target, String(priority), access.summary];
  });
  return printTable(["order", "id", "methods", "upstream", "target", "priority", "who may come in"], cells, style);
}

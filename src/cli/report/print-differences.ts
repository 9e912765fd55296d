import type { RouteDifferences } from "../../compiling/compare-routes.ts";
import { escapeControls } from "../../logging/escape-controls.ts";
import type { CommandIo, TextStyle } from "../command.ts";
import type { MovedRequest } from "../moved-requests.ts";

/** What differs between two configurations. */
export type Differences = RouteDifferences &
  Readonly<{
    /** Without a file of requests, undefined. */
    probed: Readonly<{ count: number; moved: readonly MovedRequest[] }> | undefined;
  }>;

type Style = CommandIo["style"];

const kinds = [
  { key: "added", sign: "+", format: "green" },
  { key: "removed", sign: "-", format: "red" },
  { key: "changed", sign: "~", format: "yellow" },
] as const satisfies readonly Readonly<{ key: string; sign: string; format: TextStyle }>[];

/** The differences for people. */
export function printDifferences({ changes, changedKeys, probed }: Differences, style: Style): string {
  const changed = changedKeys.map(({ route, keys }) => `${route}: ${keys.join(", ")}`);
  const lists = kinds.flatMap(({ key, sign, format }) => {
    const names = key === "changed" ? changed : changes[key];
    if (names.length === 0) return [];
    const heading = `${names.length} ${names.length === 1 ? "route" : "routes"} ${key}`;
    return [[heading, ...names.map((name) => style(format, `  ${sign} ${escapeControls(name)}`))].join("\n")];
  });
  const routes = lists.length === 0 ? ["No route differs."] : lists;
  return `${[...routes, ...printProbed(probed, style)].join("\n\n")}\n`;
}

function printProbed(probed: Differences["probed"], style: Style): string[] {
  if (probed === undefined) return [];
  const heading = `${probed.moved.length} of ${probed.count} probed requests would go elsewhere`;
  return [[heading, ...probed.moved.map((moved) => printMoved(moved, style))].join("\n")];
}

function printMoved({ request, before, after }: MovedRequest, style: Style): string {
  const [from, to] = [before, after].map(escapeControls);
  return [`  ${escapeControls(request)}`, style("red", `    - ${from}`), style("green", `    + ${to}`)].join("\n");
}

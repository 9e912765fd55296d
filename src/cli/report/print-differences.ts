import type { ChangedRoute, RouteChanges } from "../../compiling/route-differences.ts";
import type { ToldChange } from "../../explain/compare-told.ts";
import type { OpenedLock } from "../find-opened-locks.ts";
import { escapeControls } from "../../logging/escape-controls.ts";
import type { CommandIo, TextStyle } from "../command.ts";
import type { MovedRequest } from "../moved-requests.ts";

/** What differs between two configurations. */
export type Differences = Readonly<{
  changes: RouteChanges;
  /** By which keys, and what of all that is told of a route is another. */
  changedKeys: readonly (ChangedRoute & Readonly<{ told: readonly ToldChange[] }>)[];
  /** The locks that the new one opens. */
  opened: readonly OpenedLock[];
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
export function printDifferences({ changes, changedKeys, opened, probed }: Differences, style: Style): string {
  const changed = changedKeys.map(({ route, keys, told }) => [`${route}: ${keys.join(", ")}`, ...told.map(printTold)]);
  const lists = kinds.flatMap(({ key, sign, format }) => {
    const named = key === "changed" ? changed : changes[key].map((name) => [name]);
    if (named.length === 0) return [];
    const heading = `${named.length} ${named.length === 1 ? "route" : "routes"} ${key}`;
    const lines = named.flatMap(([name = "", ...told]) => [
      style(format, `  ${sign} ${escapeControls(name)}`),
      ...told.map((text) => `      ${escapeControls(text)}`),
    ]);
    return [[heading, ...lines].join("\n")];
  });
  const routes = lists.length === 0 ? ["No route differs."] : lists;
  return `${[...routes, ...printOpened(opened, style), ...printProbed(probed, style)].join("\n\n")}\n`;
}

function printTold({ title, before, after }: ToldChange): string {
  if (before === undefined) return `${title}: now ${after}`;
  return after === undefined ? `${title}: no longer ${before}` : `${title}: ${before} → ${after}`;
}

function printOpened(opened: readonly OpenedLock[], style: Style): string[] {
  if (opened.length === 0) return [];
  const lines = opened.map(({ route, taker, ofRequests, demands }) => {
    const moved = taker === undefined ? "" : ` ${ofRequests === "all" ? "" : "some of "}its requests go to ${taker},`;
    return style("red", `  ! ${escapeControls(`${route}:${moved} without ${demands.join(", ")}`)}`);
  });
  return [[`${opened.length} ${opened.length === 1 ? "lock opens" : "locks open"}`, ...lines].join("\n")];
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

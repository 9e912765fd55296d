import { labelOfAggregate } from "../compiling/compare-aggregates.ts";
import { labelOfRoute } from "../compiling/compare-routes.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { nameOfRoute } from "../route-name.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { type ListedRoute, listRoutes } from "./list-routes.ts";

/** Something that is told otherwise of a route; undefined where it is not told at all. */
export type ToldChange = Readonly<{ title: string; before: string | undefined; after: string | undefined }>;

/** Of each route of two configurations, by its label, what of all that is told of it differs. */
export function compareTold(before: GatewayConfig, after: GatewayConfig): ReadonlyMap<string, readonly ToldChange[]> {
  const earlier = new Map(toldOf(before).map(({ name, facts }) => [name, facts]));
  return new Map(toldOf(after).map(({ name, label, facts }) => [label, compareFacts(earlier.get(name), facts)]));
}

type Facts = ReadonlyMap<string, string>;

// Of what is told on one side only, the first line says enough.
const inDetail = ", in detail";

function toldOf(config: GatewayConfig): readonly Readonly<{ name: string; label: string; facts: Facts }>[] {
  const entries = entriesOf(config);
  return listRoutes(config).map((listed) => {
    const entry = entries[listed.index]!;
    return { name: `${entry.kind} ${nameOfRoute(entry.config)}`, label: labelOf(entry), facts: factsOf(listed) };
  });
}

function labelOf({ aggregate, config }: Entry): string {
  return aggregate === undefined ? labelOfRoute(config) : labelOfAggregate(aggregate.written);
}

function factsOf({ access, downstream, policies, headers, metadata }: ListedRoute): Facts {
  return new Map([
    ["who may come in", access.summary],
    ["goes to", downstream],
    ...policies.flatMap(({ title, lines: [brief = "", ...more] }) => [
      [title, brief] as const,
      [`${title}${inDetail}`, more.join("; ")] as const,
    ]),
    ...Object.entries(headers.request).map(([name, words]) => [`header ${name}`, words] as const),
    ...Object.entries(headers.answer).map(([name, words]) => [`header ${name} of the answer`, words] as const),
    ...metadata.map(({ key, value }) => [`metadata ${key}`, String(value)] as const),
  ]);
}

function compareFacts(before: Facts | undefined, after: Facts): readonly ToldChange[] {
  if (before === undefined) return [];
  const titles = new Set([...before.keys(), ...after.keys()]);
  return [...titles]
    .map((title) => ({ title, before: before.get(title), after: after.get(title) }))
    .filter(({ before: one, after: other }) => one !== other)
    .filter(({ title, ...change }) => !title.endsWith(inDetail) || !Object.values(change).includes(undefined));
}

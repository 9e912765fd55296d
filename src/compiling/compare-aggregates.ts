import { isDeepStrictEqual } from "node:util";
import type { AggregateConfig } from "../aggregates/aggregate-keys.ts";
import { aggregatesOf, type GatewayConfig } from "../config/gateway-config.ts";
import { nameOfRoute } from "../route-name.ts";
import { describeUpstream } from "../secrets/describe-upstream.ts";
import { routeOfAggregate } from "./aggregate-routes.ts";
import type { RouteDifferences } from "./route-differences.ts";

/** Tells which aggregates differ; what differs of the routes behind them is told of these. */
export function compareAggregates(before: GatewayConfig, after: GatewayConfig): RouteDifferences {
  const left = new Map(aggregatesOf(before).map((aggregate) => [nameOf(aggregate), aggregate]));
  const added: string[] = [];
  const changedKeys: { route: string; keys: readonly string[] }[] = [];
  for (const aggregate of aggregatesOf(after)) {
    const earlier = left.get(nameOf(aggregate));
    left.delete(nameOf(aggregate));
    if (earlier === undefined) added.push(labelOfAggregate(aggregate));
    else if (!isDeepStrictEqual(earlier, aggregate))
      changedKeys.push({ route: labelOfAggregate(aggregate), keys: differingKeys(earlier, aggregate) });
  }
  const removed = [...left.values()].map(labelOfAggregate);
  return { changes: { added, removed, changed: changedKeys.map(({ route }) => route) }, changedKeys };
}

/** An aggregate as it may be told to people. */
export function labelOfAggregate(aggregate: AggregateConfig): string {
  return `aggregate ${aggregate.Key ?? describeUpstream(routeOfAggregate(aggregate))}`;
}

function nameOf(aggregate: AggregateConfig): string {
  return nameOfRoute(routeOfAggregate(aggregate));
}

/** The names of the keys by which two objects differ. */
export function differingKeys(one: object, other: object): string[] {
  const [values, others] = [one, other].map((config) => new Map<string, unknown>(Object.entries(config)));
  const keys = new Set([...values!.keys(), ...others!.keys()]);
  return [...keys].filter((key) => !isDeepStrictEqual(values!.get(key), others!.get(key))).sort();
}

import type { AggregateConfig } from "../aggregates/aggregate-keys.ts";
import { idOfAggregate, partKeysOf, routeOfAggregate } from "../compiling/aggregate-routes.ts";
import { isDynamicRoute, usualIdOf } from "../config/dynamic-routes.ts";
import { aggregatesOf, type GatewayConfig } from "../config/gateway-config.ts";
import type { RouteConfig } from "../config/sections.ts";

/** Something of a configuration that takes requests. */
export type Entry = Readonly<{
  id: string;
  /** Its place among all: aggregates stand behind the routes. */
  index: number;
  kind: "route" | "dynamic" | "aggregate";
  /** What is known of it as of a route. */
  config: RouteConfig;
  /** Of an aggregate what is written, and the routes behind it. */
  aggregate: Readonly<{ written: AggregateConfig; parts: readonly RouteConfig[] }> | undefined;
}>;

const known = new WeakMap<GatewayConfig, readonly Entry[]>();

/** All that takes requests: the routes, the listed services, and behind them the aggregates. */
export function entriesOf(config: GatewayConfig): readonly Entry[] {
  let entries = known.get(config);
  if (entries === undefined)
    known.set(config, (entries = [...config.routes.map(entryOfRoute), ...aggregateEntriesOf(config)]));
  return entries;
}

function entryOfRoute(config: RouteConfig, index: number): Entry {
  const kind = isDynamicRoute(config) ? "dynamic" : "route";
  return { id: config.Key ?? usualIdOf(config, index), index, kind, config, aggregate: undefined };
}

function aggregateEntriesOf(config: GatewayConfig): readonly Entry[] {
  const aggregates = aggregatesOf(config);
  if (aggregates.length === 0) return [];
  const byKey = new Map(config.routes.map((route) => [route.Key, route]));
  return aggregates.map((written, place) => ({
    id: idOfAggregate(written, place),
    index: config.routes.length + place,
    kind: "aggregate",
    config: routeOfAggregate(written),
    aggregate: { written, parts: partKeysOf(written).map((key) => byKey.get(key)!) },
  }));
}

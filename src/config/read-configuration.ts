import { describeNode, isEmptyNode, unfolded, type JsonNode } from "./json-node.ts";
import { locks, routeSources } from "./locks.ts";
import { closestKey } from "./closest-key.ts";
import { findMember, locate, placeWithin, rootPlace, type Place } from "./place.ts";
import { createProblemList, type Finding, type Report } from "./problem-list.ts";
import { readMetadata } from "./read-metadata.ts";
import { readSection } from "./read-section.ts";
import { createReading, type Reading } from "./reading.ts";
import { configRules, placedRouteRules, routeRules } from "./rules/all-rules.ts";
import type { GlobalEntry, RouteEntry, RouteRule } from "./rules/rule.ts";
import { templatesOf } from "./rules/template-texts.ts";
import type { GlobalConfig, RouteConfig } from "./schema.ts";
import { unsupportedKeys } from "./unsupported-keys.ts";

/** What a tree says: complete only where none of the findings is an error. */
export type Configuration = Readonly<{
  routes: readonly RouteConfig[];
  global: GlobalConfig;
  findings: readonly Finding[];
}>;

/** How a tree is read: the keys of Ocelot the user can do without, and whether the tree is all that was written. */
export type ReadOptions = Readonly<{ acknowledged: readonly string[]; isComplete: boolean }>;

/** Reads a configuration from its tree and applies every rule to it. */
export function readConfiguration(root: JsonNode, { acknowledged, isComplete }: ReadOptions): Configuration {
  const { findings, report } = createProblemList();
  const { reading, finish } = createReading(report, acknowledged);
  const place = rootPlace(root);
  const values = readSection("root", place, reading) ?? {};
  const globalConfig = (values["GlobalConfiguration"] ?? {}) as GlobalConfig;
  const global: GlobalEntry = {
    place: locate(place, ["GlobalConfiguration"]),
    config: withOldMetadata(globalConfig, reading.oldMetadata[0], (at) => readMetadata(at, reading)),
  };
  const list = values["Routes"] as Place | undefined;
  const rules = isComplete ? [...routeRules, ...placedRouteRules] : routeRules;
  const routes = routePlaces(list).flatMap((at, index) => {
    const config = readRoute({ index, place: at, global, rules }, reading);
    return config === undefined ? [] : [{ index, place: at, config }];
  });
  // Rules about the whole would mistake what could not be read for what was not written.
  if (isComplete) for (const rule of configRules) rule({ routes, global, report });
  finish();
  if (root.kind === "object" && list === undefined) warnOfNoRoutes(place, report);
  warnOfAcknowledgements(acknowledged, place, report);
  return {
    routes: Object.freeze(routes.map(({ config }) => config as RouteConfig)),
    global: Object.freeze(global.config),
    findings,
  };
}

type RouteReading = Readonly<{ index: number; place: Place; global: GlobalEntry; rules: readonly RouteRule[] }>;

/** Reads one route and applies the rules about it while its members are at hand. */
function readRoute({ index, place: folded, global, rules }: RouteReading, reading: Reading): RouteEntry["config"] | undefined {
  const place = { ...folded, node: unfolded(folded.node) };
  const config = readSection("route", place, reading) as RouteEntry["config"] | undefined;
  if (config === undefined) return undefined;
  const route = { index, place, config, templates: templatesOf(config) };
  for (const rule of rules) rule(route, { global, report: reading.report });
  return config;
}

function routePlaces(list: Place | undefined): readonly Place[] {
  if (list?.node.kind !== "array") return [];
  return list.node.items.map((item, index) => placeWithin(list, index, item));
}

/** Before it had its own key, global metadata stood in `MetadataOptions`. */
function withOldMetadata(
  config: GlobalConfig,
  place: Place | undefined,
  read: (place: Place) => Readonly<Record<string, string | null>> | undefined,
): GlobalConfig {
  const old = place && read(place);
  if (old === undefined) return config;
  const metadata: Record<string, string | null> = Object.assign(Object.create(null), old, config.Metadata);
  return { ...config, Metadata: Object.freeze(metadata) };
}

function warnOfNoRoutes(place: Place, report: Report): void {
  const written = findMember(place, "Routes") ?? findMember(place, "ReRoutes");
  if (written !== undefined && !isEmptyNode(written.node)) return;
  const found = written === undefined ? "nothing" : describeNode(written.node);
  report("no-routes", written ?? place, `there are no routes, so every request falls through: expected "Routes", found ${found}`);
}

/** A mistyped acknowledgement would acknowledge nothing. */
function warnOfAcknowledgements(names: readonly string[], place: Place, report: Report): void {
  const tables = [locks, routeSources, ...Object.values(unsupportedKeys)];
  const known = tables.flatMap((table) => Object.keys(table));
  const lowerCase = new Set(known.map((name) => name.toLowerCase()));
  for (const name of names) {
    if (lowerCase.has(name.trim().toLowerCase())) continue;
    const closest = closestKey(name, known);
    const hint = closest === undefined ? "" : ` – did you mean ${JSON.stringify(closest)}?`;
    report("acknowledgement-unknown", place, `acknowledgeUnsupported names ${JSON.stringify(name)}, which is no key of Ocelot's${hint}`);
  }
}

import type { AggregateConfig } from "../../aggregates/aggregate-keys.ts";
import type { SwaggerEndpointConfig } from "../../openapi/openapi-keys.ts";
import type { Steps } from "../../time-slices.ts";
import { warnOfAcknowledgements } from "../ocelot/acknowledgements.ts";
import { describeNode, isEmptyNode, nowhere, type ItemReader, type JsonNode } from "../../json/json-node.ts";
import { lintRules } from "../lint/lint-rules.ts";
import { findMember, locate, placeWithin, rootPlace, type Place } from "../../json/place.ts";
import { createProblemList, type Finding, type Report } from "../problems/problem-list.ts";
import { readMetadata } from "./read-metadata.ts";
import { goToHosts } from "./service-without-provider.ts";
import { readSection } from "./read-section.ts";
import { rememberPlaceOf } from "../gateway-config.ts";
import { readProviderUrls } from "./provider-url.ts";
import { createReading, type FileView, type Reading } from "./reading.ts";
import { configRules, routeRules } from "../rules/all-rules.ts";
import { findRoutesByKey } from "../rules/routes-asking-for.ts";
import type { AggregateEntry, ConfigRule, EndpointEntry, GlobalEntry, RouteEntry, Rulebook } from "../rules/rule.ts";
import { templatesOf } from "../rules/template-texts.ts";
import { readDynamicRoutes } from "../dynamic-routes.ts";
import {
  type DynamicRouteConfig,
  type GlobalConfig,
  rootSection,
  type RouteConfig,
  routeSection,
} from "../sections.ts";

/** What a tree says: complete only where none of the findings is an error. */
export type Configuration = Readonly<{
  routes: readonly RouteConfig[];
  aggregates: readonly AggregateConfig[];
  endpoints: readonly SwaggerEndpointConfig[];
  global: GlobalConfig;
  findings: readonly Finding[];
}>;

/** Reads a configuration: the routes one by one as their text or object is walked through, then the rest. */
type ConfigurationReader = Readonly<{
  readItem: ItemReader;
  /** Reads the rest; `isComplete` says whether the tree is all that was written. */
  readRest(root: JsonNode, isComplete: boolean): Steps<Configuration>;
}>;

type RouteValues = RouteEntry["config"];

const routeLists: ReadonlySet<string> = new Set(["routes", "reroutes"]);
const somewhere = rootPlace({ kind: "null", text: "null", span: nowhere });

/** What a reader looks for, and where. */
export type ReaderOptions = Readonly<{
  /** The keys of Ocelot that the user can do without. */
  acknowledged: readonly string[];
  isLinting: boolean;
  view: FileView;
  /** The values of variables that may not be shown, as far as texts were read. */
  secrets: ReadonlySet<string>;
}>;

/** A reader for one configuration. */
export function createConfigurationReader({
  acknowledged,
  isLinting,
  view,
  secrets,
}: ReaderOptions): ConfigurationReader {
  const { findings, report } = createProblemList(secrets);
  const reading = createReading(report, acknowledged, view);
  const lists = new Map<string, (RouteValues | undefined)[]>();

  return {
    readItem(item, listName, index) {
      if (!routeLists.has(listName.toLowerCase())) return;
      const routes = lists.get(listName) ?? [];
      lists.set(listName, routes);
      const list = placeWithin(somewhere, listName, somewhere.node);
      routes[index] = readRoute(placeWithin(list, index, item), reading);
    },
    *readRest(root, isComplete) {
      const place = rootPlace(root);
      const values = readSection(rootSection, place, reading) ?? {};
      const global = withProviderUrls(
        globalEntryOf(place, values.GlobalConfiguration as GlobalConfig | undefined, reading),
        report,
      );
      const list = values.Routes as Place | undefined;
      const read = lists.get(String(list?.key)) ?? [];
      const written = list === undefined ? [] : yield* readEntries(list, { view, read, global }, reading);
      const dynamic = readDynamic(place, values.DynamicRoutes, { first: written.length, reading });
      const routes = [...written, ...dynamic];
      const aggregates = aggregateEntriesOf(place, values.Aggregates);
      notePlaces([...dynamic, ...aggregates], view);
      const endpoints = endpointEntriesOf(place, values.SwaggerEndPoints);
      // Rules about the whole would mistake what could not be read for what was not written.
      if (isComplete) {
        const rules = isLinting ? [...configRules, ...lintRules] : configRules;
        const routesAskingFor = yield* findRoutesByKey(routes, global);
        yield* followRules(rules, { routes, routesAskingFor, aggregates, endpoints, global, report });
      }
      if (root.kind === "object" && list === undefined && dynamic.length === 0) warnOfNoRoutes(place, report);
      warnOfAcknowledgements(acknowledged, place, report);
      return {
        routes: Object.freeze(routes.map(({ config }) => config as RouteConfig)),
        aggregates: Object.freeze(aggregates.map(({ config }) => config as AggregateConfig)),
        endpoints: Object.freeze(endpoints.map(({ config }) => config)),
        global: Object.freeze(global.config),
        findings,
      };
    },
  };
}

function readDynamic(
  root: Place,
  entries: unknown,
  { first, reading }: Readonly<{ first: number; reading: Reading }>,
): readonly RouteEntry[] {
  const list = (entries ?? []) as readonly (Partial<DynamicRouteConfig> | undefined)[];
  const routes = readDynamicRoutes(list, { root, first, report: reading.report });
  for (const { place, config } of routes) {
    const route = { place, config, templates: templatesOf(config) };
    for (const rule of routeRules) rule(route, reading.report);
  }
  return routes;
}

function readRoute(place: Place, reading: Reading): RouteValues | undefined {
  const config = readSection(routeSection, place, reading) as RouteValues | undefined;
  if (config === undefined) return undefined;
  const route = { place, config, templates: templatesOf(config) };
  for (const rule of routeRules) rule(route, reading.report);
  return config;
}

/** The routes that are objects, with their indexes; what is no object was not read as an item, and is now reported. */
function* readEntries(
  list: Place,
  { view, read, global }: Readonly<{ view: FileView; read: readonly (RouteValues | undefined)[]; global: GlobalEntry }>,
  reading: Reading,
): Steps<RouteEntry[]> {
  const entries: RouteEntry[] = [];
  for (const [index, item] of (list.node.kind === "array" ? list.node.items : []).entries()) {
    yield;
    const own = view.itemOf(item, index);
    const place = placeWithin(list, own.index, item);
    const values = read[index] ?? readRoute(place, reading);
    if (values === undefined) continue;
    const config = goToHosts({ config: values, place }, global, reading.report);
    entries.push({ index, name: own.name, place, config });
  }
  notePlaces(entries, view);
  return entries;
}

/** The aggregates that are objects, with their indexes; what is none was reported when it was read. */
function aggregateEntriesOf(root: Place, read: unknown): readonly AggregateEntry[] {
  const configs = (read ?? []) as readonly (AggregateEntry["config"] | undefined)[];
  return configs.flatMap((config, index) => {
    return config === undefined
      ? []
      : [{ index, name: `Aggregates[${index}]`, config, place: locate(root, ["Aggregates", index]) }];
  });
}

/** Remembers where entries stand in several files. */
function notePlaces(entries: readonly Readonly<{ place: Place; config: object }>[], view: FileView): void {
  for (const { place, config } of entries) {
    const found = view.placeOf(place.node);
    if (found !== undefined) rememberPlaceOf(config, found);
  }
}

/** Those that are objects; what is none was reported when it was read. */
function endpointEntriesOf(root: Place, read: unknown): readonly EndpointEntry[] {
  const configs = (read ?? []) as readonly (EndpointEntry["config"] | undefined)[];
  return configs.flatMap((config, index) =>
    config === undefined ? [] : [{ config, place: locate(root, ["SwaggerEndPoints", index]) }],
  );
}

function* followRules(rules: readonly ConfigRule[], rulebook: Rulebook): Steps<void> {
  for (const rule of rules) {
    yield;
    const steps = rule(rulebook);
    if (steps !== undefined) yield* steps;
  }
}

function globalEntryOf(root: Place, config: GlobalConfig = {}, reading: Reading): GlobalEntry {
  const place = locate(root, ["GlobalConfiguration"]);
  const [oldPlace] = reading.oldMetadata;
  const old = oldPlace && readMetadata(oldPlace, reading);
  if (old === undefined) return { place, config };
  // Before it had its own key, global metadata stood in MetadataOptions.
  const metadata = Object.assign(Object.create(null) as Record<string, string | null>, old, config.Metadata);
  return { place, config: { ...config, Metadata: Object.freeze(metadata) } };
}

function withProviderUrls({ place, config }: GlobalEntry, report: Report): GlobalEntry {
  return { place, config: readProviderUrls(config, place, report) };
}

function warnOfNoRoutes(place: Place, report: Report): void {
  const written = findMember(place, "Routes") ?? findMember(place, "ReRoutes");
  if (written !== undefined && !isEmptyNode(written.node)) return;
  const found = written === undefined ? "nothing" : describeNode(written.node);
  const message = `there are no routes, so every request falls through: expected "Routes", found ${found}`;
  report("no-routes", written ?? place, message);
}

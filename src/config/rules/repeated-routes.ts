import { closestName } from "../../closest-name.ts";
import type { Key } from "../../schema/key.ts";
import { globalSection, type RouteConfig, routeSection } from "../sections.ts";
import { quote } from "../../json/json-node.ts";
import { locate } from "../../json/place.ts";
import { addOwner, firstOverlap, type MethodOwners } from "./method-owners.ts";
import type { ConfigRule, RouteEntry } from "./rule.ts";

const indexText = /^(0|[1-9]\d*)$/;

/** No two routes take the same requests by the same templates. */
export const checkRepeatedRoutes: ConfigRule = function* checkRepeatedRoutes({ routes, report }) {
  const seen = new Map<string, MethodOwners<RouteEntry>>();
  for (const route of routes) {
    yield;
    const template = route.config.UpstreamPathTemplate;
    if (template === undefined) continue;
    const identity = identityOf(route);
    const others = seen.get(identity);
    const overlap = others && firstOverlap(others, route.config.UpstreamHttpMethod);
    addOwner(seen, identity, route);
    if (overlap === undefined) continue;
    const methods = overlap.method === undefined ? "one of them takes every method" : `both take ${overlap.method}`;
    const same = `the same template ${quote(template)}, host and header templates, and ${methods}`;
    const found = `${route.name} repeats ${overlap.route.name}: ${same}`;
    report(
      "route-repeated",
      locate(route.place, ["UpstreamPathTemplate"]),
      `${found}; remove one, or part their methods`,
    );
  }
};

/** A `Key` names one route. */
export const checkRouteKeys: ConfigRule = function* checkRouteKeys({ routes, routesAskingFor, report }) {
  const seen = new Map<string, string>();
  for (const { index, name, place, config } of routesAskingFor("Key")) {
    yield;
    const key = config.Key;
    if (key === undefined) continue;
    const at = locate(place, ["Key"]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, name);
    else report("route-key-repeated", at, `${name} and ${first} have the same Key ${quote(key)}: choose another one`);
    if (!indexText.test(key) || Number(key) === index || Number(key) >= routes.length) continue;
    const clash = `Key ${quote(key)} of ${name} is the index of another route, which is its name without a Key`;
    report("route-key-index", at, `${clash}: choose another one`);
  }
};

/** `RouteKeys` of a global section name routes that there are. */
export const checkGlobalRouteKeys: ConfigRule = function* checkGlobalRouteKeys(rulebook) {
  const { routes, routesAskingFor, global, report } = rulebook;
  for (const { config, place } of routesAskingFor(...namesOfChosenSections.filter(isRouteKey))) {
    yield;
    for (const name of namesOfChosenSections) {
      if (routeKeysIn(config, name) === undefined) continue;
      const found = `"RouteKeys" has no effect in ${quote(name)} of a route, which holds for that route`;
      report("key-unknown", locate(place, [name, "RouteKeys"]), `${found}: it belongs into "GlobalConfiguration"`);
    }
  }
  const keys = routes.flatMap(({ config: { Key } }) => (Key === undefined ? [] : [Key]));
  for (const name of namesOfChosenSections) {
    for (const [index, key] of (routeKeysIn(global.config, name) ?? []).entries()) {
      if (keys.includes(key)) continue;
      const closest = closestName(key, keys);
      const hint = closest === undefined ? "" : ` – did you mean ${quote(closest)}?`;
      const found = `no route has the Key ${quote(key)}, so ${quote(name)} would not hold for it`;
      report("route-key-unknown", locate(global.place, [name, "RouteKeys", index]), `${found}: correct it${hint}`);
    }
  }
};

/** The sections for all routes that may choose some of them; metadata and schemes may have any names, that one too. */
const namesOfChosenSections = Object.entries(globalSection.keys).flatMap(([name, key]: [string, Key]) =>
  key.kind === "section" && Object.hasOwn(key.section.keys, "RouteKeys") ? [name] : [],
);

function isRouteKey(name: string): name is keyof RouteConfig {
  return Object.hasOwn(routeSection.keys, name);
}

function routeKeysIn(config: object, name: string): readonly string[] | undefined {
  const sections = config as Readonly<Record<string, Readonly<{ RouteKeys?: readonly string[] }> | undefined>>;
  return sections[name]?.RouteKeys;
}

/** What must differ between two routes that take the same methods. */
export function identityOf({ config }: RouteEntry): string {
  return `${config.UpstreamPathTemplate}\n${upstreamHostOf(config)}\n${headersOf(config)}`;
}

/** The host of a route as it is compared; empty where any will do. */
export function upstreamHostOf(config: RouteEntry["config"]): string {
  return config.UpstreamHost?.toLowerCase() ?? "";
}

/** The header templates of a route as one text; empty where there are none. */
export function headersOf(config: RouteEntry["config"]): string {
  if (config.UpstreamHeaderTemplates === undefined) return "";
  const headers = Object.entries(config.UpstreamHeaderTemplates);
  return headers.length === 0 ? "" : JSON.stringify(headers.map(([name, text]) => [name.toLowerCase(), text]).sort());
}

import { quote } from "../json-node.ts";
import { locate } from "../place.ts";
import type { ConfigRule, RouteEntry } from "./rule.ts";

/** The routes seen so far that look alike but for their methods. */
type Alike = { first: number; anyMethod: number | undefined; byMethod: Map<string, number> };

const indexText = /^(0|[1-9]\d*)$/;

/** No two routes take the same requests by the same templates. */
export const checkRepeatedRoutes: ConfigRule = function checkRepeatedRoutes({ routes, report }) {
  const seen = new Map<string, Alike>();
  for (const route of routes) {
    const template = route.config.UpstreamPathTemplate;
    if (template === undefined) continue;
    const identity = identityOf(route);
    const known = seen.get(identity);
    const alike = known ?? { first: route.index, anyMethod: undefined, byMethod: new Map<string, number>() };
    const overlap = known && overlapOf(known, route.config.UpstreamHttpMethod);
    seen.set(identity, alike);
    remember(alike, route);
    if (overlap === undefined) continue;
    const same = `the same template ${quote(template)}, host and header templates, and ${overlap.methods}`;
    const found = `Routes[${route.index}] repeats Routes[${overlap.index}]: ${same}`;
    report("route-repeated", locate(route.place, ["UpstreamPathTemplate"]), `${found}; remove one, or part their methods`);
  }
};

/** A `Key` names one route. */
export const checkRouteKeys: ConfigRule = function checkRouteKeys({ routes, report }) {
  const seen = new Map<string, number>();
  for (const { index, place, config } of routes) {
    const key = config.Key;
    if (key === undefined) continue;
    const at = locate(place, ["Key"]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else report("route-key-repeated", at, `Routes[${index}] and Routes[${first}] have the same Key ${quote(key)}`);
    if (!indexText.test(key) || Number(key) === index || Number(key) >= routes.length) continue;
    const clash = `Key ${quote(key)} of Routes[${index}] is the index of another route, which is its name without a Key`;
    report("route-key-index", at, `${clash}: choose another one`);
  }
};

/** What must differ between two routes that take the same methods. */
export function identityOf({ config }: RouteEntry): string {
  return `${config.UpstreamPathTemplate}\n${hostOf(config)}\n${headersOf(config)}`;
}

/** The host of a route as it is compared; empty where any will do. */
export function hostOf(config: RouteEntry["config"]): string {
  return config.UpstreamHost?.toLowerCase() ?? "";
}

/** The header templates of a route as one text; empty where there are none. */
export function headersOf(config: RouteEntry["config"]): string {
  const headers = Object.entries(config.UpstreamHeaderTemplates ?? {});
  if (headers.length === 0) return "";
  return JSON.stringify(headers.map(([name, text]) => [name.toLowerCase(), text]).sort());
}

function overlapOf(
  alike: Alike,
  methods: readonly string[] | undefined,
): Readonly<{ index: number; methods: string }> | undefined {
  if (methods === undefined) return { index: alike.first, methods: "one of them takes every method" };
  if (alike.anyMethod !== undefined) return { index: alike.anyMethod, methods: "one of them takes every method" };
  const shared = methods.find((method) => alike.byMethod.has(method));
  return shared === undefined ? undefined : { index: alike.byMethod.get(shared)!, methods: `both take ${shared}` };
}

function remember(alike: Alike, { index, config }: RouteEntry): void {
  const methods = config.UpstreamHttpMethod;
  if (methods === undefined) alike.anyMethod ??= index;
  for (const method of methods ?? []) {
    if (!alike.byMethod.has(method)) alike.byMethod.set(method, index);
  }
}

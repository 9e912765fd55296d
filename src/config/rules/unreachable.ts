import { quote } from "../json-node.ts";
import { locate } from "../place.ts";
import { headersOf, hostOf, identityOf } from "./identities.ts";
import type { ConfigRule, RouteEntry } from "./rule.ts";

/** The first route that takes every method, and the first for each, of those that take the same paths. */
type Takers = { anyMethod: number | undefined; byMethod: Map<string, number> };

const catchAll = /^\/\{\w+\}$/;
// Deeper templates are not looked into: the cost would grow with the square of their length.
const mostSegments = 32;

/**
 * Warns of routes whose requests an earlier route takes: one with the same pattern under other placeholder names or another
 * case, or one that takes everything below a path. Only what is certain is said.
 */
export const checkReachable: ConfigRule = function checkReachable({ routes, report }) {
  const takers = new Map<string, Takers>();
  const seen = new Set<string>();
  for (const route of inMatchingOrder(routes)) {
    const template = route.config.UpstreamPathTemplate!;
    const identity = identityOf(route);
    const taker = seen.has(identity) ? undefined : findTaker(takers, route);
    seen.add(identity);
    remember(takers, route);
    if (taker === undefined) continue;
    const first = routes[taker]!.config.UpstreamPathTemplate!;
    const message = `Routes[${route.index}] ${quote(template)} is never reached: Routes[${taker}] ${quote(first)} comes first`;
    const remedy = "put it before that one, or give it a higher Priority";
    report("route-unreachable", locate(route.place, ["UpstreamPathTemplate"]), `${message}; ${remedy}`);
  }
};

function inMatchingOrder(routes: readonly RouteEntry[]): readonly RouteEntry[] {
  const matching = routes.filter(({ config }) => config.UpstreamPathTemplate !== undefined);
  return matching.sort((one, other) => priorityOf(other) - priorityOf(one) || one.index - other.index);
}

function priorityOf({ config }: RouteEntry): number {
  return catchAll.test(config.UpstreamPathTemplate!) ? 0 : (config.Priority ?? 1);
}

function findTaker(takers: ReadonlyMap<string, Takers>, route: RouteEntry): number | undefined {
  const indexes = wideningsOf(route).map((key) => takerOf(takers.get(key), route.config.UpstreamHttpMethod));
  return indexes.find((index) => index !== undefined);
}

/** The route, if one alone takes all the methods. */
function takerOf(found: Takers | undefined, methods: readonly string[] | undefined): number | undefined {
  if (found === undefined || found.anyMethod !== undefined) return found?.anyMethod;
  const indexes = new Set(methods?.map((method) => found.byMethod.get(method)));
  return indexes.size === 1 ? [...indexes][0] : undefined;
}

function remember(takers: Map<string, Takers>, route: RouteEntry): void {
  const methods = route.config.UpstreamHttpMethod;
  for (const key of coveredBy(route)) {
    const found = takers.get(key) ?? { anyMethod: undefined, byMethod: new Map<string, number>() };
    takers.set(key, found);
    if (methods === undefined) found.anyMethod ??= route.index;
    for (const method of methods ?? []) if (!found.byMethod.has(method)) found.byMethod.set(method, route.index);
  }
}

/** A template without the names of its placeholders, and what else must be equal to take the same requests. */
type Pattern = Readonly<{ path: string; query: string; host: string; headers: string; isSensitive: boolean }>;

function patternOf({ config }: RouteEntry): Pattern {
  const nameless = config.UpstreamPathTemplate!.replace(/\{\w+\}/g, "{}");
  const queryStart = nameless.indexOf("?");
  const isSensitive = config.RouteIsCaseSensitive === true;
  return {
    path: queryStart === -1 ? nameless : nameless.slice(0, queryStart),
    query: queryStart === -1 ? "" : nameless.slice(queryStart),
    host: hostOf(config),
    headers: headersOf(config),
    isSensitive,
  };
}

/** The keys under which a route is found by those whose requests it takes. */
function coveredBy(route: RouteEntry): readonly string[] {
  const pattern = patternOf(route);
  const exact = keyOf("exact", pattern) + cased(pattern.path, pattern);
  if (pattern.query !== "" || !pattern.path.endsWith("/{}")) return [exact];
  return [exact, keyOf("below", pattern) + cased(pattern.path.slice(0, -"/{}".length), pattern)];
}

/** The keys of routes that would take all requests of this one. */
function wideningsOf(route: RouteEntry): readonly string[] {
  const pattern = patternOf(route);
  const widerPatterns = unique(["", pattern.headers]).flatMap((headers) =>
    unique([false, pattern.isSensitive]).map((isSensitive) => ({ ...pattern, headers, isSensitive })),
  );
  const prefixes = prefixesOf(pattern.path);
  return widerPatterns.flatMap((wider) => [
    ...unique(["", pattern.query]).map((query) => keyOf("exact", { ...wider, query }) + cased(pattern.path, wider)),
    ...prefixes.map((prefix) => keyOf("below", { ...wider, query: "" }) + cased(prefix, wider)),
  ]);
}

/** `/a/{}/c` lies below ``, `/a` and `/a/{}`; a literal end is also what stands at its own path. */
function prefixesOf(path: string): readonly string[] {
  const prefixes: string[] = [];
  for (let end = path.indexOf("/"); end !== -1 && prefixes.length < mostSegments; end = path.indexOf("/", end + 1)) {
    prefixes.push(path.slice(0, end));
  }
  const isLiteralEnd = !path.slice(path.lastIndexOf("/")).includes("{}");
  return isLiteralEnd ? [...prefixes, path] : prefixes;
}

function keyOf(reach: "exact" | "below", { query, host, headers, isSensitive }: Pattern): string {
  return `${reach} ${isSensitive} ${query}\n${host}\n${headers}\n`;
}

function cased(path: string, { isSensitive }: Pattern): string {
  return isSensitive ? path : path.toLowerCase();
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}

import { quote } from "../../json/json-node.ts";
import type { Steps } from "../../time-slices.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { locate } from "../../json/place.ts";
import { headersOf, upstreamHostOf, identityOf } from "./identities.ts";
import { addOwner, type MethodOwners } from "./method-owners.ts";
import { routesInOrder, waysBefore } from "./routes-in-order.ts";
import type { ConfigRule, RouteEntry } from "./rule.ts";
import { takersIn } from "./takers.ts";
import { witnessOf } from "./witness.ts";

// Deeper templates are not looked into: the cost would grow with the square of their length.
const mostSegments = 32;

/** Warns of routes that are never reached, each with a request that it does not get. */
export const checkReachable: ConfigRule = function* checkReachable(rulebook) {
  const { report } = rulebook;
  for (const [route, taker] of yield* findUnreachable(takersIn(rulebook))) {
    yield;
    const [own, other] = [route, taker].map(({ config }) => quote(config.UpstreamPathTemplate!));
    const found = `${route.name} ${own} is never reached: ${taker.name} ${other} comes first`;
    const message = `${found}, and takes ${quote(witnessOf(route))} for example${adviceFor(route, taker)}`;
    report("route-unreachable", locate(route.place, ["UpstreamPathTemplate"]), message);
  }
};

function adviceFor(route: RouteEntry, taker: RouteEntry): string {
  if (takesTheSame(route, taker)) {
    return "; both take the very same requests, so one of them is dead in whatever order: remove it, or part them";
  }
  const ownPath = patternOf(route).path;
  const isOwnPath = cased(patternOf(taker).path, patternOf(taker)) === `${cased(ownPath, patternOf(taker))}/{}`;
  const since = isOwnPath ? ", as in Ocelot since January 2024: the last placeholder may be missing" : "";
  return `${since}; ${waysBefore(route, taker)}`;
}

/** Whether the taker would be the one that is never reached, were it behind the route. */
function takesTheSame(route: RouteEntry, taker: RouteEntry): boolean {
  const [own, other] = [route, taker].map((entry) => {
    const pattern = patternOf(entry);
    return `${keyOf("exact", pattern)}${cased(pattern.path, pattern)}`;
  });
  const [methods, others] = [route.config.UpstreamHttpMethod, taker.config.UpstreamHttpMethod];
  return own === other && (methods === undefined || others?.every((method) => methods.includes(method)) === true);
}

/**
 * The routes all of whose requests one earlier route takes, and that route: one with the same pattern under other
 * placeholder names or another case, or one that takes everything below a path. Only what is certain is found.
 */
export function* findUnreachable(routes: readonly RouteEntry[]): Steps<ReadonlyMap<RouteEntry, RouteEntry>> {
  const takers = new Map<string, MethodOwners>();
  const seen = new Set<string>();
  const found = new Map<RouteEntry, RouteEntry>();
  const byIndex = new Map(routes.map((route) => [route.index, route]));
  for (const route of routesInOrder(routes)) {
    yield;
    const identity = identityOf(route);
    const taker = seen.has(identity) ? undefined : findTaker(takers, route);
    seen.add(identity);
    remember(takers, route);
    if (taker !== undefined) found.set(route, byIndex.get(taker)!);
  }
  return found;
}

function findTaker(takers: ReadonlyMap<string, MethodOwners>, route: RouteEntry): number | undefined {
  for (const key of wideningsOf(route)) {
    const taker = takers.get(key)?.ownerOfAll(route.config.UpstreamHttpMethod);
    if (taker !== undefined) return taker;
  }
  return undefined;
}

function remember(takers: Map<string, MethodOwners>, route: RouteEntry): void {
  for (const key of coveredBy(route)) addOwner(takers, key, route);
}

/** A template without the names of its placeholders, and what else must be equal to take the same requests. */
type Pattern = Readonly<{ path: string; query: string; host: string; headers: string; isSensitive: boolean }>;

function patternOf({ config }: RouteEntry): Pattern {
  const nameless = config.UpstreamPathTemplate!.replace(/\{\w+\}/g, "{}");
  const path = pathOf(nameless);
  const isSensitive = config.RouteIsCaseSensitive === true;
  return {
    path,
    query: nameless.slice(path.length),
    host: upstreamHostOf(config),
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
  const keys: string[] = [];
  for (const headers of pattern.headers === "" ? [""] : ["", pattern.headers]) {
    for (const isSensitive of pattern.isSensitive ? [false, true] : [false]) {
      addWidenings(keys, { ...pattern, headers, isSensitive });
    }
  }
  return keys;
}

function addWidenings(keys: string[], pattern: Pattern): void {
  const path = cased(pattern.path, pattern);
  const anyQuery = { ...pattern, query: "" };
  keys.push(keyOf("exact", pattern) + path);
  if (pattern.query !== "") keys.push(keyOf("exact", anyQuery) + path);
  const below = keyOf("below", anyQuery);
  for (const prefix of prefixesOf(path)) keys.push(below + prefix);
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

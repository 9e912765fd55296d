import { quote } from "../../json/json-node.ts";
import type { Steps } from "../../time-slices.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { locate } from "../../json/place.ts";
import { headersOf, upstreamHostOf, identityOf } from "./repeated-routes.ts";
import { addOwner, type MethodOwners, ownerOfAll } from "./method-owners.ts";
import { routesInOrder, waysBefore } from "./routes-in-order.ts";
import type { ConfigRule, RouteEntry } from "./rule.ts";
import { takersIn } from "./aggregates-as-routes.ts";
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
    return `${keyOf(pattern)}\n${cased(pattern.path, pattern)}`;
  });
  const [methods, others] = [route.config.UpstreamHttpMethod, taker.config.UpstreamHttpMethod];
  return own === other && (methods === undefined || others?.every((method) => methods.includes(method)) === true);
}

/**
 * The routes all of whose requests one earlier route takes, and that route: one with the same pattern under other
 * placeholder names or another case, or one that takes everything below a path. Only what is certain is found.
 */
export function* findUnreachable(routes: readonly RouteEntry[]): Steps<ReadonlyMap<RouteEntry, RouteEntry>> {
  const takers: Takers = { exact: new Map(), below: new Map() };
  const seen = new Set<string>();
  const found = new Map<RouteEntry, RouteEntry>();
  for (const route of routesInOrder(routes)) {
    yield;
    const identity = identityOf(route);
    const pattern = patternOf(route);
    const taker = seen.has(identity) ? undefined : findTaker(takers, route, pattern);
    seen.add(identity);
    remember(takers, route, pattern);
    if (taker !== undefined) found.set(route, taker);
  }
  return found;
}

/** A template without the names of its placeholders, and what else must be equal to take the same requests. */
type Pattern = Readonly<{ path: string; query: string; host: string; headers: string; isSensitive: boolean }>;

/** Routes by what else must be equal, and then by path: by their own, and by that below which they take everything. */
type Takers = Readonly<{ exact: Groups; below: Groups }>;

type Groups = Map<string, ByPath>;
type ByPath = Map<string, MethodOwners<RouteEntry>>;

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

function findTaker({ exact, below }: Takers, { config }: RouteEntry, pattern: Pattern): RouteEntry | undefined {
  for (const wider of wideningsOf(pattern)) {
    const key = keyOf(wider);
    const path = cased(wider.path, wider);
    const prefixes = wider.query === "" && below.has(key) ? prefixesOf(path) : [];
    const owners = [exact.get(key)?.get(path), ...prefixes.map((prefix) => below.get(key)!.get(prefix))];
    for (const group of owners) {
      const taker = group && ownerOfAll(group, config.UpstreamHttpMethod);
      if (taker !== undefined) return taker;
    }
  }
  return undefined;
}

/** What a route may be that would take all requests of one of this pattern, but for what stands below its path. */
function wideningsOf(pattern: Pattern): readonly Pattern[] {
  if (pattern.headers === "" && pattern.query === "" && !pattern.isSensitive) return [pattern];
  const headersOrNone = pattern.headers === "" ? [""] : ["", pattern.headers];
  const cases = pattern.isSensitive ? [false, true] : [false];
  const queryOrAny = pattern.query === "" ? [""] : [pattern.query, ""];
  return headersOrNone.flatMap((headers) =>
    cases.flatMap((isSensitive) => queryOrAny.map((query) => ({ ...pattern, headers, isSensitive, query }))),
  );
}

function remember({ exact, below }: Takers, route: RouteEntry, pattern: Pattern): void {
  const key = keyOf(pattern);
  const path = cased(pattern.path, pattern);
  addOwner(groupOf(exact, key), path, route);
  if (pattern.query !== "" || !path.endsWith("/{}")) return;
  addOwner(groupOf(below, key), path.slice(0, -"/{}".length), route);
}

function groupOf(groups: Groups, key: string): ByPath {
  const group = groups.get(key) ?? new Map<string, MethodOwners<RouteEntry>>();
  groups.set(key, group);
  return group;
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

function keyOf({ query, host, headers, isSensitive }: Pattern): string {
  return `${isSensitive} ${query}\n${host}\n${headers}`;
}

function cased(path: string, { isSensitive }: Pattern): string {
  return isSensitive ? path : path.toLowerCase();
}

import { quote } from "../../json/json-node.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { locate } from "../../json/place.ts";
import { upstreamHostOf } from "../rules/repeated-routes.ts";
import { routesInOrder } from "../rules/routes-in-order.ts";
import type { ConfigRule, RouteEntry } from "../rules/rule.ts";
import { fixedServiceName, hostsOf, openPlaceholder } from "../rules/target-texts.ts";
import { fillSample } from "../rules/witness.ts";
import {
  createPathFinder,
  isFoundByPath,
  pathTakerOf,
  takesMethod,
  type PathFinder,
  type PathTaker,
} from "./path-finder.ts";
import { findDemands } from "./demands-on-clients.ts";
import { sampleOf } from "./path-shape.ts";

// A bound for configurations in which very many routes lead to the same place.
const mostGuarded = 20;

/** Warns of routes for every path by which a client gets round what another route to the same place demands. */
export const warnOfBypasses: ConfigRule = function* warnOfBypasses({ routes, global, report }) {
  const finders = new Map<string, PathFinder>();
  const guarded = new Map<string, RouteEntry[]>();
  const open: PathTaker[] = [];
  for (const [order, route] of routesInOrder(routes).entries()) {
    yield;
    const taker = pathTakerOf(route, order);
    if (demandsOf(route).length > 0) addTo(guarded, targetOf(route), route);
    if (!isFoundByPath(route)) continue;
    const finder = finders.get(upstreamHostOf(route.config)) ?? createPathFinder();
    finders.set(upstreamHostOf(route.config), finder);
    finder.add(taker);
    if (taker.shape.isOpen) open.push(taker);
  }
  for (const taker of open) {
    yield;
    const { route } = taker;
    const others = guarded.get(targetOf(route))?.slice(0, mostGuarded) ?? [];
    const reached = { demandsOf, finder: finders.get(upstreamHostOf(route.config))! };
    const bypassed = others.map((other) => findBypass(taker, other, reached)).find(Boolean);
    if (bypassed === undefined) continue;
    const own = `${route.name} ${quote(route.config.UpstreamPathTemplate!)}`;
    const remedy = "demand the same here, or let this route reach less";
    report("lock-bypassed", locate(route.place, ["UpstreamPathTemplate"]), `${own} ${bypassed}; ${remedy}`);
  }

  function demandsOf({ config }: RouteEntry): readonly string[] {
    return findDemands(config, global.config);
  }
};

function addTo(lists: Map<string, RouteEntry[]>, key: string, route: RouteEntry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [route]);
  else list.push(route);
}

/** Where a route leads; those whose target depends on the request are told apart by their own name. */
function targetOf(route: RouteEntry): string {
  const service = fixedServiceName(route);
  if (service !== undefined) return `service ${service}`;
  const hosts = hostsOf(route).map(({ Host, Port }) => `${Host.toLowerCase()}:${Port ?? ""}`);
  return hosts.length === 0 ? `route ${route.index}` : `hosts ${hosts.sort().join()}`;
}

/** What routes demand, and where requests for a host go. */
type Reached = Readonly<{ demandsOf: (route: RouteEntry) => readonly string[]; finder: PathFinder }>;

function findBypass(taker: PathTaker, other: RouteEntry, { demandsOf, finder }: Reached): string | undefined {
  const { route, shape } = taker;
  const demanded = demandsOf(route);
  const lacking = demandsOf(other).find((demand) => !demanded.includes(demand));
  const rest = restOf(route, other);
  if (lacking === undefined || rest === undefined) return undefined;
  const method = sharedMethod(route, other);
  const path = [...shape.segments.map(sampleOf), rest].join("/");
  // Templates with and without a slash at the end are found alike: rather no warning than a false one.
  const takers = finder.takersOf(path.replace(/\/$/, "").split("/"));
  if (method === undefined || takers.find((it) => takesMethod(it, method)) !== taker) return undefined;
  const target = `${other.name} ${quote(other.config.UpstreamPathTemplate!)}`;
  return `leads with ${quote(`${method} /${path}`)} to what ${target} guards, without its ${lacking}`;
}

/** What the last placeholder of a route must be for its downstream path to be that of the other. */
function restOf({ config }: RouteEntry, other: RouteEntry): string | undefined {
  const name = openPlaceholder(config.UpstreamPathTemplate!)!;
  const [own, wanted] = [config, other.config].map(({ DownstreamPathTemplate: template }) => pathOf(template ?? ""));
  const prefix = own!.endsWith(`{${name}}`) ? own!.slice(0, -`{${name}}`.length) : "{";
  if (prefix.includes("{") || !wanted!.startsWith(prefix)) return undefined;
  const rest = fillSample(wanted!.slice(prefix.length));
  return rest === "" ? undefined : rest;
}

function sharedMethod(route: RouteEntry, other: RouteEntry): string | undefined {
  const [own, others] = [route.config.UpstreamHttpMethod, other.config.UpstreamHttpMethod];
  if (own === undefined) return others?.[0] ?? "GET";
  return others === undefined ? own[0] : own.find((method) => others.includes(method));
}

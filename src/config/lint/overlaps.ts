import { quote } from "../../json/json-node.ts";
import { locate } from "../../json/place.ts";
import { upstreamHostOf } from "../rules/repeated-routes.ts";
import { routesInOrder, waysBefore } from "../rules/routes-in-order.ts";
import type { ConfigRule } from "../rules/rule.ts";
import { takersIn } from "../rules/aggregates-as-routes.ts";
import { findUnreachable } from "../rules/unreachable.ts";
import { sampleValue } from "../rules/witness.ts";
import {
  createPathFinder,
  isFoundByPath,
  pathTakerOf,
  takesMethod,
  type PathFinder,
  type PathTaker,
} from "./path-finder.ts";
import { compareHowSpecific } from "./more-specific-path.ts";

/** A request that a route does not get, and the route that gets it. */
type Loss = Readonly<{ request: string; taker: PathTaker }>;

const usualMethods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];
const mostPaths = 4;

/**
 * Warns of routes that lose some of their requests to an earlier one that is less specific. A `Priority` that puts
 * the other route first is taken for intention.
 */
export const warnOfOverlaps: ConfigRule = function* warnOfOverlaps(rulebook) {
  const { report } = rulebook;
  const routes = takersIn(rulebook);
  const unreachable = yield* findUnreachable(routes);
  const finders = new Map<string, PathFinder>();
  for (const [order, route] of routesInOrder(routes).entries()) {
    yield;
    const host = upstreamHostOf(route.config);
    const finder = finders.get(host) ?? createPathFinder();
    finders.set(host, finder);
    const own = pathTakerOf(route, order);
    const loss = unreachable.has(route) ? undefined : findLoss(own, finder);
    if (isFoundByPath(route)) finder.add(own);
    if (loss === undefined) continue;
    const { request, taker } = loss;
    const [template, other] = [route, taker.route].map(({ config }) => quote(config.UpstreamPathTemplate!));
    const found = `${route.name} ${template} does not get ${quote(request)}`;
    const reason = `${taker.route.name} ${other} comes first, though it is less particular`;
    const at = locate(route.place, ["UpstreamPathTemplate"]);
    report("routes-overlap", at, `${found}: ${reason}; ${waysBefore(route, taker.route)}`);
  }
};

function findLoss(own: PathTaker, finder: PathFinder): Loss | undefined {
  let tries = 0;
  for (const path of finder.commonPaths(own.shape)) {
    const loss = findLossAt(path, own, finder);
    if (loss !== undefined) return findLossAt(withRest(path, own), own, finder) ?? loss;
    if ((tries += 1) === mostPaths) return undefined;
  }
  return undefined;
}

function findLossAt(path: readonly string[], own: PathTaker, finder: PathFinder): Loss | undefined {
  const takers = finder.takersOf(path);
  for (const method of own.route.config.UpstreamHttpMethod ?? usualMethods) {
    const taker = takers.find((other) => takesMethod(other, method));
    if (taker !== undefined && isLess(taker, own)) return { request: `${method} /${path.join("/")}`, taker };
  }
  return undefined;
}

/** A path with a value for the last placeholder, where it may be missing: people send it with one. */
function withRest(path: readonly string[], { shape: { isOpen, segments } }: PathTaker): readonly string[] {
  return isOpen && path.length === segments.length ? [...path, sampleValue] : path;
}

function isLess(taker: PathTaker, own: PathTaker): boolean {
  return taker.priority === own.priority && compareHowSpecific(own.shape, taker.shape) < 0;
}

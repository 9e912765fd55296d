import type { GatewayConfig } from "../config/gateway-config.ts";
import type { RouteDefinition } from "../routing/index/route-index.ts";
import { inMatchingOrder } from "../routing/matching-order.ts";
import { createSharedPathTree } from "../routing/shared-path-tree.ts";
import { filterInSteps, type Steps } from "../time-slices.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import { defineRoute } from "./index-routes.ts";
import {
  type Method,
  readConditions,
  type RequestConditions,
  sharedMethods,
  takes,
  takesAllOf,
} from "./request-conditions.ts";
import { anyServiceFor, type Taker, takersOf } from "./takers.ts";
import { anySpelling } from "./unlisted-service.ts";

/** What takes requests now, and what takes all or some of them by another configuration. */
export type TakerPair = Readonly<{ one: Taker; other: Taker; ofRequests: "all" | "some" }>;

/**
 * Pairs what guards requests by one configuration with what takes them by another one: what has the same name, and whatever
 * may take one of its requests that it does not get any more. There may be no such request after all, but none is missed.
 * The parts of an aggregate are routes, which are paired as such.
 */
export function* pairTakers(
  before: GatewayConfig,
  after: GatewayConfig,
  guards: (taker: Taker) => boolean,
): Steps<readonly TakerPair[]> {
  const [earlier, later] = [yield* gather(before), yield* gather(after)];
  const findNewTakers = createFindNewTakers(earlier, later);
  const pairs: TakerPair[] = [];
  for (const place of earlier.all) {
    yield;
    const one = place.taker;
    if (!guards(one)) continue;
    const namesake = one.parts.length === 0 ? later.byName.get(one.name) : undefined;
    if (namesake !== undefined) pairs.push({ one, other: namesake, ofRequests: "all" });
    for (const { taker, ofRequests } of yield* findNewTakers(place)) {
      const other = taker ?? anyServiceFor(one.route.UpstreamPathTemplate, after);
      if (other !== undefined && other.name !== one.name) pairs.push({ one, other, ofRequests });
    }
  }
  const [any, other] = [before, after].map((config) => anyServiceFor(anyPath, config));
  if (any !== undefined && other !== undefined && guards(any)) pairs.push({ one: any, other, ofRequests: "all" });
  return pairs;
}

const anyPath = "/any/x";

/** What takes requests, and when it is asked; any service comes last, and is known where a request for it is. */
type Place<Who = Taker | undefined> = RequestConditions & Readonly<{ taker: Who; rank: number }>;

type Places = Readonly<{
  all: readonly Place<Taker>[];
  byName: ReadonlyMap<string, Taker>;
  /** Whatever may take the same paths. */
  sharing: (conditions: RequestConditions) => Steps<readonly Place[]>;
}>;

function* gather(config: GatewayConfig): Steps<Places> {
  const takers = takersOf(config);
  const ranks = yield* rankAll(takers);
  const tree = createSharedPathTree<Place>();
  const all: Place<Taker>[] = [];
  for (const taker of takers) {
    yield;
    const place = { ...readConditions(taker.route), taker, rank: ranks.get(taker)! };
    all.push(place);
    tree.add(place);
  }
  if (anyServiceFor(anyPath, config) !== undefined) tree.add(anyService);
  const byName = new Map(takers.map((taker) => [taker.name, taker]));
  return { all, byName, sharing: ({ pattern }) => tree.sharing(pattern) };
}

function* rankAll(takers: readonly Taker[]): Steps<ReadonlyMap<Taker, number>> {
  const definitions: RouteDefinition<Taker>[] = [];
  for (const taker of takers) {
    yield;
    const { route } = taker;
    definitions.push(defineRoute(taker, parseUpstreamTemplate(route.UpstreamPathTemplate), route));
  }
  return new Map(inMatchingOrder(definitions).map(({ value }, rank) => [value, rank]));
}

const anyService: Place<undefined> = {
  ...readConditions({ UpstreamPathTemplate: anySpelling.text, DownstreamPathTemplate: "" }),
  taker: undefined,
  rank: Infinity,
};

type NewTaker = Readonly<{ taker: Taker | undefined; ofRequests: TakerPair["ofRequests"] }>;

/** Makes the function that finds what takes requests of a route which that route got before. */
function createFindNewTakers(earlier: Places, later: Places): (place: Place) => Steps<readonly NewTaker[]> {
  const forerunners = new Map<Place, readonly Place[]>();

  return function* findNewTakers(place) {
    const found: NewTaker[] = [];
    const sharing = yield* later.sharing(place);
    const heirs = yield* filterInSteps(sharing, (heir) => takesAllOf(heir, place));
    for (const other of sharing) {
      yield;
      const left = sharedMethods(place, other).filter((method) => !isBefore(other, heirs, method));
      if (left.length === 0) continue;
      const others = yield* forerunnersOf(other);
      const methods = left.filter((method) => !isBefore(place, others, method));
      const isAll = takesAllOf(other, place) && (place.methods ?? [undefined]).every((it) => methods.includes(it));
      if (methods.length > 0) found.push({ taker: other.taker, ofRequests: isAll ? "all" : "some" });
    }
    return found;
  };

  /** What takes all that a new taker takes, by the configuration before. */
  function* forerunnersOf(other: Place): Steps<readonly Place[]> {
    const known = forerunners.get(other);
    if (known !== undefined) return known;
    const sharing = yield* earlier.sharing(other);
    const found = yield* filterInSteps(sharing, (forerunner) => takesAllOf(forerunner, other));
    forerunners.set(other, found);
    return found;
  }
}

/** Whether one of those that take all comes before a place, for a method. */
function isBefore({ rank }: Place, others: readonly Place[], method: Method): boolean {
  return others.some((other) => other.rank < rank && takes(other, method));
}

import type { IncomingHttpHeaders } from "node:http";
import { runAtOnce, type Steps } from "../../time-slices.ts";
import type { UpstreamTemplate } from "../../templates/upstream-template.ts";
import { addConditionValues, type Candidate, type Conditions, createCandidate } from "./candidate.ts";
import { comparePath } from "../compared-text.ts";
import { getOrAdd } from "./get-or-add.ts";
import { hostKeys } from "../host-header.ts";
import { normalisePath } from "../../urls/normalise-path.ts";
import { inMatchingOrder } from "../matching-order.ts";
import { cutValues } from "../path-pattern.ts";
import { createPathTree, type PathTree } from "./path-tree.ts";
import { type QueryParameters, readQueryParameters } from "../query-condition.ts";
import { createSearch, type Search, searchTree } from "./search-tree.ts";
import { createShapeCounter } from "./shapes.ts";

/** A route to be found; `value` is what the finder wants back. */
export type RouteDefinition<R> = Readonly<{
  value: R;
  template: UpstreamTemplate;
  /** In any spelling; undefined or empty means every method but TRACE and CONNECT. */
  methods: readonly string[] | undefined;
  /** Compared with the port only if it has one. */
  host: string | undefined;
  caseSensitive: boolean;
  /** As configured; undefined means the usual one. */
  priority: number | undefined;
}>;

/** What of a request decides about its route. */
export type MatchTarget = Readonly<{
  method: string;
  /** As the client wrote it, without query. */
  path: string;
  /** What follows the `?`, as the client wrote it; undefined where there is none. */
  query: string | undefined;
  host: string | undefined;
  headers: IncomingHttpHeaders;
}>;

/** The route of a request, and the values its placeholders took. */
export type RouteMatch<R> = Readonly<{
  value: R;
  /** Raw values, without prototype. */
  placeholders: Record<string, string>;
  /** The normalised path, of which the path values are cut. */
  path: string;
}>;

/** Finds routes at a cost that does not grow with their number. */
export type RouteIndex<R> = Readonly<{
  find: (target: MatchTarget) => RouteMatch<R> | undefined;
  /** How many places a look-up visits: what the promise about cost is measured by. */
  countSteps: (target: MatchTarget) => number;
  /** The number of distinct shapes, on which the cost does depend. */
  shapeCount: number;
}>;

type HostTrees<R> = readonly PathTree<R>[];

/** Builds the index of all routes, given in the order of the configuration. */
export function createRouteIndex<R>(definitions: readonly RouteDefinition<R>[]): RouteIndex<R> {
  return runAtOnce(buildRouteIndex(definitions));
}

/** Builds the same in steps, between which other work can be done. */
export function* buildRouteIndex<R>(definitions: readonly RouteDefinition<R>[]): Steps<RouteIndex<R>> {
  const candidates = yield* groupByHost(definitions);
  const anyHost = yield* createTrees(candidates.get(undefined) ?? []);
  const byHost = new Map<string, HostTrees<R>>();
  for (const [host, ofHost] of candidates) if (host !== undefined) byHost.set(host, yield* createTrees(ofHost));
  return createFinder(byHost, anyHost, yield* countShapes(definitions));
}

function createFinder<R>(
  byHost: ReadonlyMap<string, HostTrees<R>>,
  anyHost: HostTrees<R>,
  shapeCount: number,
): RouteIndex<R> {
  return { find, countSteps, shapeCount };

  function find(target: MatchTarget): RouteMatch<R> | undefined {
    const path = normalisePath(target.path);
    const { candidate, path: compared, conditions } = searchHosts(path, target);
    if (candidate === undefined) return undefined;
    const placeholders = cutValues(candidate.pattern, path, compared);
    addConditionValues(candidate, conditions, placeholders);
    return { value: candidate.value, placeholders, path };
  }

  function countSteps(target: MatchTarget): number {
    return searchHosts(normalisePath(target.path), target).steps;
  }

  function searchHosts(path: string, target: MatchTarget): Search<R> {
    const search = createSearch<R>(createConditions(target));
    if (byHost.size > 0 && target.host !== undefined) {
      for (const key of hostKeys(target.host)) searchTrees(byHost.get(key) ?? [], path, search);
    }
    // The matching order puts routes for a host before all others: what was found there cannot be beaten.
    if (search.candidate === undefined) searchTrees(anyHost, path, search);
    return search;
  }
}

function searchTrees<R>(trees: HostTrees<R>, path: string, search: Search<R>): void {
  for (const tree of trees) searchTree(tree, comparePath(path, tree.caseSensitive), search);
}

/** The candidates of each host, and of none, in order of rank. */
function* groupByHost<R>(
  definitions: readonly RouteDefinition<R>[],
): Steps<ReadonlyMap<string | undefined, readonly Candidate<R>[]>> {
  const groups = new Map<string | undefined, Candidate<R>[]>();
  for (const [rank, definition] of inMatchingOrder(definitions).entries()) {
    yield;
    const candidates = getOrAdd(groups, definition.host?.toLowerCase(), () => []);
    candidates.push(createCandidate(definition, rank));
  }
  return groups;
}

function* createTrees<R>(candidates: readonly Candidate<R>[]): Steps<HostTrees<R>> {
  const trees: PathTree<R>[] = [];
  for (const caseSensitive of [false, true]) {
    const ofTree = candidates.filter((candidate) => candidate.caseSensitive === caseSensitive);
    if (ofTree.length > 0) trees.push(yield* createPathTree(ofTree, caseSensitive));
  }
  return trees;
}

function* countShapes<R>(definitions: readonly RouteDefinition<R>[]): Steps<number> {
  const shapes = createShapeCounter();
  for (const { template } of definitions) {
    yield;
    shapes.add(template.path);
  }
  return shapes.count();
}

function createConditions({ method, headers, query }: MatchTarget): Conditions {
  let parameters: QueryParameters | undefined;
  return { method, headers, query, parameters: () => (parameters ??= readQueryParameters(query)) };
}

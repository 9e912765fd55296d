import type { IncomingHttpHeaders } from "node:http";
import type { UpstreamTemplate } from "../upstream-template.ts";
import { addConditionValues, type Candidate, type Conditions, createCandidate } from "./candidate.ts";
import { comparePath } from "./compared-text.ts";
import { getOrAdd } from "./get-or-add.ts";
import { hostKeys } from "./host-header.ts";
import { normalisePath } from "./normalise-path.ts";
import { cutValues } from "./path-pattern.ts";
import { createPathTree, type PathTree } from "./path-tree.ts";
import { type QueryParameters, readQueryParameters } from "./query-condition.ts";
import { createSearch, type Search, searchTree } from "./search-tree.ts";
import { countShapes } from "./shapes.ts";

/** A route to be found; `value` is what the finder wants back. */
export type RouteDefinition<R> = Readonly<{
  value: R;
  template: UpstreamTemplate;
  /** In any spelling; undefined or empty means every method but TRACE and CONNECT. */
  methods: readonly string[] | undefined;
  /** Compared with the port only if it has one. */
  host: string | undefined;
  caseSensitive: boolean;
  /** Higher first; of the same priority the earlier one. */
  priority: number;
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
  const { byHost, anyHost } = groupByHost(definitions);

  return { find, countSteps, shapeCount: countShapes(definitions.map(({ template }) => template.path)) };

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
    if (search.candidate === undefined) searchTrees(anyHost, path, search);
    return search;
  }
}

function searchTrees<R>(trees: HostTrees<R>, path: string, search: Search<R>): void {
  for (const tree of trees) searchTree(tree, comparePath(path, tree.caseSensitive), search);
}

function groupByHost<R>(definitions: readonly RouteDefinition<R>[]): {
  byHost: ReadonlyMap<string, HostTrees<R>>;
  anyHost: HostTrees<R>;
} {
  const groups = new Map<string | undefined, Candidate<R>[]>();
  inOrder(definitions).forEach((definition, rank) => {
    const candidates = getOrAdd(groups, definition.host?.toLowerCase(), () => []);
    candidates.push(createCandidate(definition, rank));
  });
  const anyHost = createTrees(groups.get(undefined) ?? []);
  groups.delete(undefined);
  return { byHost: new Map([...groups].map(([host, candidates]) => [host!, createTrees(candidates)])), anyHost };
}

function inOrder<R>(definitions: readonly RouteDefinition<R>[]): RouteDefinition<R>[] {
  return definitions.toSorted((one, other) => priorityOf(other) - priorityOf(one));
}

const takesEveryPath = /^\/\{\w+\}$/;

/** A template that takes every path comes last, whatever is configured. */
function priorityOf<R>({ template, priority }: RouteDefinition<R>): number {
  return takesEveryPath.test(template.text) ? 0 : priority;
}

function createTrees<R>(candidates: readonly Candidate<R>[]): HostTrees<R> {
  return [false, true]
    .map((caseSensitive) => candidates.filter((candidate) => candidate.caseSensitive === caseSensitive))
    .filter((ofTree) => ofTree.length > 0)
    .map((ofTree) => createPathTree(ofTree, ofTree[0]!.caseSensitive));
}

function createConditions({ method, headers, query }: MatchTarget): Conditions {
  let parameters: QueryParameters | undefined;
  return { method, headers, query, parameters: () => (parameters ??= readQueryParameters(query)) };
}

import type { AggregateEntry, RouteEntry } from "./rule.ts";

type Entry = RouteEntry | AggregateEntry;

/** Some routes that look alike, and which of them takes a method first. */
export type MethodOwners<Taker extends Entry> = {
  readonly first: Taker;
  /** Nearly every group has one route: the table is only made where it is asked for. */
  table: MethodTable<Taker> | undefined;
};

type MethodTable<Taker> = { anyMethod: Taker | undefined; readonly byMethod: Map<string, Taker> };

/** A route that takes the same method; undefined where one of the two takes every method. */
type Overlap<Taker> = Readonly<{ route: Taker; method: string | undefined }>;

/** Adds a route to those that look alike. */
export function addOwner<Taker extends Entry>(
  groups: Map<string, MethodOwners<Taker>>,
  key: string,
  route: Taker,
): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, { first: route, table: undefined });
  else note(tableOf(group), route);
}

/** The first route that takes one of the methods, and the method; undefined methods are all. */
export function firstOverlap<Taker extends Entry>(
  owners: MethodOwners<Taker>,
  methods: readonly string[] | undefined,
): Overlap<Taker> | undefined {
  const { anyMethod, byMethod } = tableOf(owners);
  if (methods === undefined) return { route: owners.first, method: undefined };
  if (anyMethod !== undefined) return { route: anyMethod, method: undefined };
  const method = methods.find((name) => byMethod.has(name));
  return method === undefined ? undefined : { route: byMethod.get(method)!, method };
}

/** The route, if one alone takes all the methods. */
export function ownerOfAll<Taker extends Entry>(
  owners: MethodOwners<Taker>,
  methods: readonly string[] | undefined,
): Taker | undefined {
  const { anyMethod, byMethod } = tableOf(owners);
  if (anyMethod !== undefined) return anyMethod;
  const takers = new Set(methods?.map((method) => byMethod.get(method)));
  return takers.size === 1 ? [...takers][0] : undefined;
}

function tableOf<Taker extends Entry>(owners: MethodOwners<Taker>): MethodTable<Taker> {
  if (owners.table === undefined) {
    owners.table = { anyMethod: undefined, byMethod: new Map() };
    note(owners.table, owners.first);
  }
  return owners.table;
}

function note<Taker extends Entry>(table: MethodTable<Taker>, route: Taker): void {
  const { UpstreamHttpMethod: methods } = route.config;
  if (methods === undefined) table.anyMethod ??= route;
  for (const method of methods ?? []) if (!table.byMethod.has(method)) table.byMethod.set(method, route);
}

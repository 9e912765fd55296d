import type { RouteEntry } from "./rule.ts";

/** Which of some routes that look alike takes a method first. */
export type MethodOwners = Readonly<{
  /** The first route that takes one of the methods, and the method; undefined methods are all. */
  firstOverlap(methods: readonly string[] | undefined): Overlap | undefined;
  /** The route, if one alone takes all the methods. */
  ownerOfAll(methods: readonly string[] | undefined): number | undefined;
  add(route: RouteEntry): void;
}>;

/** A route that takes the same method; undefined where one of the two takes every method. */
export type Overlap = Readonly<{ index: number; method: string | undefined }>;

/** Adds a route to those that look alike. */
export function addOwner(groups: Map<string, MethodOwners>, key: string, route: RouteEntry): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, createMethodOwners(route));
  else group.add(route);
}

/** Nearly every group has one route: the table of methods is only made for a second one. */
function createMethodOwners(first: RouteEntry): MethodOwners {
  let anyMethod: number | undefined;
  let byMethod: Map<string, number> | undefined;

  function owners(): Map<string, number> {
    if (byMethod === undefined) {
      byMethod = new Map();
      note(byMethod, first);
    }
    return byMethod;
  }

  function note(table: Map<string, number>, { index, config }: RouteEntry): void {
    if (config.UpstreamHttpMethod === undefined) anyMethod ??= index;
    for (const method of config.UpstreamHttpMethod ?? []) if (!table.has(method)) table.set(method, index);
  }

  return {
    firstOverlap(methods) {
      const table = owners();
      if (methods === undefined) return { index: first.index, method: undefined };
      if (anyMethod !== undefined) return { index: anyMethod, method: undefined };
      const method = methods.find((name) => table.has(name));
      return method === undefined ? undefined : { index: table.get(method)!, method };
    },
    ownerOfAll(methods) {
      const table = owners();
      if (anyMethod !== undefined) return anyMethod;
      const indexes = new Set(methods?.map((method) => table.get(method)));
      return indexes.size === 1 ? [...indexes][0] : undefined;
    },
    add: (route) => note(owners(), route),
  };
}

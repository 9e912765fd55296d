import { describeLists, effectiveLists } from "../capabilities/address-lists/effective-lists.ts";
import { type Access, accessOf } from "../capabilities/authentication/describe-access.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { Entry } from "./entries.ts";

/** Who may come in on a route, and from where. */
export type RouteAccess = Access &
  Readonly<{
    /** From which addresses, in words; undefined where from all. */
    addresses: string | undefined;
  }>;

/** What is said where every route lets anybody in. */
export const openToAll = "Anybody may come in, on every route.";

/** Who may come in on a route, and from where: open is one that lets anybody in from everywhere. */
export function routeAccessOf(route: RouteConfig, global: GlobalConfig): RouteAccess {
  const access = accessOf(route, global);
  const lists = effectiveLists(route, global);
  if (lists === undefined) return { ...access, addresses: undefined };
  const addresses = describeLists(lists);
  return { ...access, open: false, addresses, summary: `${access.summary}, ${addresses}` };
}

/** Who may come in on an entry: on an aggregate whoever may come in on each of its parts. */
export function entryAccessOf(
  { config, aggregate }: Pick<Entry, "config" | "aggregate">,
  global: GlobalConfig,
): RouteAccess {
  if (aggregate === undefined) return routeAccessOf(config, global);
  const parts = aggregate.parts.map((part) => ({ key: part.Key!, access: routeAccessOf(part, global) }));
  const summaries = new Set(parts.map(({ access }) => access.summary));
  const [only = ""] = summaries;
  const all = parts.map(({ access }) => access);
  return {
    open: all.every(({ open }) => open),
    schemes: [...new Set(all.flatMap(({ schemes }) => schemes))],
    scopes: [...new Set(all.flatMap(({ scopes }) => scopes))],
    claims: [...new Set(all.flatMap(({ claims }) => claims))],
    addresses: all.flatMap(({ addresses }) => addresses ?? []).join(", and ") || undefined,
    summary: summaries.size < 2 ? only : parts.map(({ key, access }) => `${key}: ${access.summary}`).join("; "),
  };
}

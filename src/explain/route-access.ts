import { describeLists, effectiveLists } from "../capabilities/address-lists/effective-lists.ts";
import { type Access, accessOf } from "../capabilities/authentication/access.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";

/** Who may come in on a route, and from where. */
export type RouteAccess = Access &
  Readonly<{
    /** From which addresses, in words; undefined where from all. */
    addresses: string | undefined;
  }>;

/** Who may come in on a route, and from where: open is one that lets anybody in from everywhere. */
export function routeAccessOf(route: RouteConfig, global: GlobalConfig): RouteAccess {
  const access = accessOf(route, global);
  const lists = effectiveLists(route, global);
  if (lists === undefined) return { ...access, addresses: undefined };
  const addresses = describeLists(lists);
  return { ...access, open: false, addresses, summary: `${access.summary}, ${addresses}` };
}

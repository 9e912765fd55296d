import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { reachesRoute } from "../../schema/effective-section.ts";

/** From which addresses the clients of a route may come; of the lists at least one has entries. */
export type AddressLists = Readonly<{
  allowed: readonly string[];
  blocked: readonly string[];
  excludesAllowed: boolean;
}>;

type Section = NonNullable<RouteConfig["SecurityOptions"]>;
type ListedRoute = Readonly<Partial<Pick<RouteConfig, "Key" | "SecurityOptions">>>;

/** The kinds of lists that there are. */
export const listKinds = ["IPAllowedList", "IPBlockedList"] as const;

const nothing: readonly string[] = [];
const noSection: Section = {};

/** The lists that count for a route: its own where one has entries, else the global ones, where its own flag counts. */
export function effectiveLists(
  { Key, SecurityOptions: own = noSection }: ListedRoute,
  global: Pick<GlobalConfig, "SecurityOptions">,
): AddressLists | undefined {
  const shared = sharedSection(global, Key);
  const lists = hasLists(own) ? own : shared;
  if (!hasLists(lists)) return undefined;
  const { IPAllowedList: allowed = nothing, IPBlockedList: blocked = nothing } = lists;
  const flag = own.ExcludeAllowedFromBlocked ?? lists.ExcludeAllowedFromBlocked;
  return { allowed, blocked, excludesAllowed: flag ?? false };
}

/** The global section, where it holds for the route of a key. */
export function sharedSection(
  { SecurityOptions: section }: Pick<GlobalConfig, "SecurityOptions">,
  key: string | undefined,
): Section {
  return section !== undefined && reachesRoute(section, key) ? section : noSection;
}

/** Whether one of the lists has entries. */
export function hasLists(section: Section): boolean {
  return listKinds.some((kind) => (section[kind] ?? nothing).length > 0);
}

const mostNamed = 3;

/** From which addresses clients may come, in a few words. */
export function describeLists({ allowed, blocked, excludesAllowed }: AddressLists): string {
  const only = allowed.length === 0 ? [] : [`only from ${nameSome(allowed)}`];
  const excluded = excludesAllowed && allowed.length > 0 ? [] : blocked;
  return [...only, ...(excluded.length === 0 ? [] : [`not from ${nameSome(excluded)}`])].join(", ");
}

function nameSome(entries: readonly string[]): string {
  const rest = entries.length - mostNamed;
  return entries.slice(0, mostNamed).join(" or ") + (rest > 0 ? ` or ${rest} more` : "");
}

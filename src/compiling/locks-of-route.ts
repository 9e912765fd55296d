import { requirementOf } from "../identity/required-schemes.ts";
import { type GlobalConfig, globalSection, type RouteConfig, routeSection } from "../config/sections.ts";
import type { Keys } from "../schema/key.ts";

const ownLocks = locksIn(routeSection.keys);
const sharedLocks = locksIn(globalSection.keys);
// What these mean to a route is found out by itself.
const authenticationKeys: readonly string[] = ["AuthenticationOptions", "AuthenticationSchemes"];

function locksIn(keys: Keys): readonly string[] {
  return Object.keys(keys).filter((name) => keys[name]!.isLock === true || name === "AllowedOrigins");
}

/** What guards a route, by key; a key that is absent guards nothing. */
export function locksOf(route: RouteConfig, global: GlobalConfig): Readonly<Record<string, unknown>> {
  const requirement = requirementOf(route, global);
  const schemes = requirement?.schemes.map((name) => global.AuthenticationSchemes?.[name]);
  const written = { ...picked(global, sharedLocks), ...picked(route, ownLocks) };
  return requirement === undefined ? written : { ...written, requirement, schemes };
}

function picked(section: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  const wanted = Object.entries(section).filter(
    ([name, value]) => value !== undefined && names.includes(name) && !authenticationKeys.includes(name),
  );
  return Object.fromEntries(wanted);
}

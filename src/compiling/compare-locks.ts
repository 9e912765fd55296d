import { isDeepStrictEqual } from "node:util";
import { requirementOf } from "../identity/required-schemes.ts";
import { globalConfigOf } from "../config/gateway-config.ts";
import { type GlobalConfig, globalSection, type RouteConfig, routeSection } from "../config/sections.ts";
import type { Keys } from "../schema/key.ts";
import { allRoutesOf } from "./all-routes.ts";
import type { CompiledConfiguration } from "./compiled-configuration.ts";

/** Notes, of the routes whose WebSockets a new configuration ends, those of which it adds or changes a lock. */
export function noteNewLocks(before: CompiledConfiguration, after: CompiledConfiguration): void {
  const ending = allRoutesOf(before).filter(({ version, load }) => version.isRetired && load.sockets > 0);
  if (ending.length === 0) return;
  const globals = { before: globalConfigOf(before.config)!, after: globalConfigOf(after.config)! };
  const successors = new Map(allRoutesOf(after).map(({ load, route }) => [load, route.config]));
  for (const { version, load, route } of ending) {
    const successor = successors.get(load);
    if (successor === undefined) continue;
    const [earlier, later] = [locksOf(route.config, globals.before), locksOf(successor, globals.after)];
    version.isLockedAnew = Object.keys(later).some((key) => !isDeepStrictEqual(later[key], earlier[key]));
  }
}

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

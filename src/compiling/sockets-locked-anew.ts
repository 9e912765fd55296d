import { isDeepStrictEqual } from "node:util";
import { globalConfigOf } from "../config/gateway-config.ts";
import { allRoutesOf } from "./all-routes.ts";
import { locksOf } from "./locks-of-route.ts";
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

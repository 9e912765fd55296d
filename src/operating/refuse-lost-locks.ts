import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { locksOf } from "../compiling/locks-of-route.ts";
import { pairTakers, type Taker } from "../compiling/who-takes-requests-after-reload.ts";
import { filesOf, type GatewayConfig } from "../config/gateway-config.ts";
import { opensServices } from "../config/opened-locks.ts";
import { GatewayError } from "../errors.ts";
import { describeUpstream } from "../secrets/describe-upstream.ts";
import { runInSlices, type Steps } from "../time-slices.ts";

/**
 * Refuses a configuration that lacks a file of the one in force, and with it a lock: the file may have been forgotten, or
 * the folder may be half written.
 */
export async function refuseLostLocks(before: GatewayConfig, after: GatewayConfig): Promise<void> {
  const read = new Set(filesOf(after));
  const missing = filesOf(before).filter((path) => !read.has(path));
  const lost = missing.length === 0 || read.size === 0 ? undefined : await runInSlices(findLostLock(before, after));
  if (lost === undefined) return;
  const files = missing.map((path) => JSON.stringify(basename(path))).join(", ");
  const found = `${files} ${missing.length === 1 ? "is" : "are"} missing, and without ${missing.length === 1 ? "it" : "them"} ${JSON.stringify(lost.route)} would lose its ${JSON.stringify(lost.lock)}`;
  throw new GatewayError(
    "reload-unlocks",
    `${found}. If that is meant, ask for the reload by hand: SIGHUP, or check() of the watcher.`,
  );
}

/** A route that a lock of the configuration before guards, and that lock. */
type LostLock = Readonly<{ route: string; lock: string }>;

/**
 * Finds a route whose lock another configuration takes away or changes: from the route itself, or from requests that were
 * meant for it, which another route takes now. That clients reach services which no route names is such a change, too.
 */
export function* findLostLock(before: GatewayConfig, after: GatewayConfig): Steps<LostLock | undefined> {
  if (!opensServices(before) && opensServices(after)) return { route: "DynamicRoutes", lock: "AllowAnyService" };
  for (const { one, other } of yield* pairTakers(before, after)) {
    yield;
    const later = locksOfTaker(other);
    const lost = Object.entries(locksOfTaker(one)).find(([lock, value]) => !isDeepStrictEqual(value, later[lock]));
    if (lost !== undefined) return { route: one.route.Key ?? describeUpstream(one.route), lock: lost[0] };
  }
  return undefined;
}

/** The locks of an aggregate are those of all its parts. */
function locksOfTaker({ route, parts, global }: Taker): Readonly<Record<string, unknown>> {
  if (parts.length === 0) return locksOf(route, global);
  const locks = parts.flatMap((part) =>
    Object.entries(locksOf(part, global)).map(([lock, value]) => [`${lock} of ${part.Key}`, value] as const),
  );
  return Object.fromEntries(locks);
}

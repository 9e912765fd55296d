import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { locksOf } from "../compiling/locks-of-route.ts";
import { type Taker, takersOf } from "../compiling/takers.ts";
import { pairTakers } from "../compiling/who-takes-requests-after-reload.ts";
import { filesOf, type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import { opensServices } from "../config/opened-locks.ts";
import { GatewayError } from "../errors.ts";
import { nameOfRoute } from "../route-name.ts";
import { describeUpstream } from "../secrets/describe-upstream.ts";
import { runInSlices, type Steps } from "../time-slices.ts";

// What was in force before a configuration, and had files that have been missing since.
const waitedFor = new WeakMap<GatewayConfig, readonly GatewayConfig[]>();
// Where each deployment has files and paths of its own, and nobody ever asks by hand, they would become ever more.
const mostWaitedFor = 20;

/**
 * Refuses a configuration that lacks a file, and with it a lock: the file may have been forgotten, or the folder may be
 * half written. What a file guarded is remembered until it is back, or somebody has replaced the configuration by hand.
 */
export async function refuseLostLocks(before: GatewayConfig, after: GatewayConfig): Promise<void> {
  const read = new Set(filesOf(after));
  if (read.size === 0) return;
  const earlier = waitedFor.get(before) ?? [];
  // They are not in force any more: each would keep all before it in memory.
  for (const config of earlier) waitedFor.delete(config);
  const guarding = [before, ...earlier];
  const lacking = guarding.filter((config) => missingFrom(read, config).length > 0);
  for (const config of lacking) {
    const lost = await runInSlices(findLostLock(config, after));
    if (lost !== undefined) throw tellLost(lost, missingFrom(read, config));
  }
  const gone = lacking.filter((config) => lacksGuarded(config, after));
  if (gone.length > 0) waitedFor.set(after, gone.slice(0, mostWaitedFor));
}

function missingFrom(read: ReadonlySet<string>, config: GatewayConfig): readonly string[] {
  return filesOf(config).filter((path) => !read.has(path));
}

/** Whether there are requests that were guarded, and of which another configuration says nothing. */
function lacksGuarded(config: GatewayConfig, after: GatewayConfig): boolean {
  const said = new Set(takersOf(after).map(requestsOf));
  return takersOf(config).some((taker) => guardsSomething(taker) && !said.has(requestsOf(taker)));
}

function requestsOf({ route }: Taker): string {
  return nameOfRoute({ ...route, Key: undefined });
}

function tellLost({ route, lock }: LostLock, missing: readonly string[]): GatewayError {
  const files = missing.map((path) => JSON.stringify(basename(path))).join(", ");
  const [are, them] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
  const found = `${files} ${are} missing, and without ${them} ${JSON.stringify(route)} would lose its ${JSON.stringify(lock)}`;
  return new GatewayError(
    "reload-unlocks",
    `${found}. If that is meant, ask for the reload by hand: SIGHUP, or check() of the watcher.`,
  );
}

/** A route that a lock of the configuration before guards, and that lock. */
type LostLock = Readonly<{ route: string; lock: string }>;

/**
 * Finds a route whose lock another configuration takes away or changes: from the route itself, or from requests that it
 * took, which another route may take now. That clients reach services which no route names is such a change, too.
 */
export function* findLostLock(before: GatewayConfig, after: GatewayConfig): Steps<LostLock | undefined> {
  if (!opensServices(before) && opensServices(after)) return { route: "DynamicRoutes", lock: "AllowAnyService" };
  for (const { one, other } of yield* pairTakers(before, after, guardsSomething)) {
    yield;
    const lock = firstLost(locksOfTaker(one), locksOfTaker(other));
    if (lock !== undefined) return { route: one.route.Key ?? describeUpstream(one.route), lock };
  }
  return findLostByAll(before, after);
}

const plainRoute = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/" };

/** What holds for all routes holds for those that are still to come, too. */
function findLostByAll(before: GatewayConfig, after: GatewayConfig): LostLock | undefined {
  const lock = firstLost(locksOf(plainRoute, globalConfigOf(before)!), locksOf(plainRoute, globalConfigOf(after)!));
  return lock === undefined ? undefined : { route: "GlobalConfiguration", lock };
}

type Locks = ReturnType<typeof locksOf>;

function firstLost(locks: Locks, later: Locks): string | undefined {
  return Object.keys(locks).find((lock) => !isDeepStrictEqual(locks[lock], later[lock]));
}

function guardsSomething(taker: Taker): boolean {
  return Object.keys(locksOfTaker(taker)).length > 0;
}

/** The locks of an aggregate are those of all its parts. */
function locksOfTaker({ route, parts, global }: Taker): Locks {
  if (parts.length === 0) return locksOf(route, global);
  const locks = parts.flatMap((part) =>
    Object.entries(locksOf(part, global)).map(([lock, value]) => [`${lock} of ${part.Key}`, value] as const),
  );
  return Object.fromEntries(locks);
}

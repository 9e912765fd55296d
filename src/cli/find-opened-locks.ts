import { opensServices, openedLocks } from "../config/opened-locks.ts";
import type { Taker } from "../compiling/takers.ts";
import { pairTakers } from "../compiling/who-takes-requests-after-reload.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { maskValues } from "../secrets/redact.ts";
import { describeUpstream } from "../secrets/describe-upstream.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { runAtOnce } from "../time-slices.ts";

/** A route that another configuration asks less of its clients for. */
export type OpenedLock = Readonly<{
  route: string;
  /** The route that takes its requests now; undefined where that is still the same. */
  taker: string | undefined;
  /** Whether it takes all of them, or may take some. */
  ofRequests: "all" | "some";
  /** The names of the locks that hold no longer. */
  demands: readonly string[];
}>;

/** Finds the locks that another configuration opens, also by sending requests to another route. */
export function findOpenedLocks(before: GatewayConfig, after: GatewayConfig): readonly OpenedLock[] {
  const all = !opensServices(before) && opensServices(after) ? [everyService] : [];
  const found = runAtOnce(pairTakers(before, after, demandsSomething)).flatMap(({ one, other, ofRequests }) => {
    const demands = openedLocks(guardedBy(one), guardedBy(other)).filter(isKnownDemand);
    if (demands.length === 0) return [];
    const taker = one.name === other.name ? undefined : maskValues(labelOf(other), variableSecretsOf(after));
    return [{ route: maskValues(labelOf(one), variableSecretsOf(before)), taker, ofRequests, demands }];
  });
  return [...new Map([...all, ...found].map((opened) => [JSON.stringify(opened), opened])).values()];
}

const everyService: OpenedLock = {
  route: "every service",
  taker: undefined,
  ofRequests: "all",
  demands: ["DynamicRoutes"],
};

const asksNothing = { routes: [], global: {} };

function demandsSomething(taker: Taker): boolean {
  return openedLocks(guardedBy(taker), asksNothing).some(isKnownDemand);
}

/** What code makes of metadata is not known here. */
function isKnownDemand(name: string): boolean {
  return !name.startsWith("Metadata ");
}

function labelOf({ route }: Taker): string {
  return route.Key ?? describeUpstream(route);
}

/** The locks of an aggregate are those of all its parts. */
function guardedBy({ route, parts, global }: Taker): Parameters<typeof openedLocks>[0] {
  return { routes: parts.length === 0 ? [route] : parts, global };
}

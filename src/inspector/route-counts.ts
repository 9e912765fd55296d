import { isUnlisted } from "../discovery/unlisted-marks.ts";
import type { RequestRecord } from "../observing/observer.ts";

/** How often what became of the requests of a route. */
export type RouteCount = Readonly<{
  requests: number;
  /** Refused, as the client had sent too many. */
  refused: number;
  hit: number;
  miss: number;
  bypass: number;
}>;

/** What was counted of each route since the inspector was made. */
export type RouteCounts = Readonly<{
  note: (record: RequestRecord) => void;
  of: (routeId: string) => RouteCount;
}>;

/** The counts of several processes as one. */
export function sumCounts(counts: readonly RouteCount[]): RouteCount {
  const sum = { ...nothing };
  for (const count of counts) for (const name of names) sum[name] += count[name];
  return sum;
}

const nothing: RouteCount = { requests: 0, refused: 0, hit: 0, miss: 0, bypass: 0 };
const names = Object.keys(nothing) as (keyof RouteCount)[];
// As many as a large configuration has; those that reloads bring beyond it are not counted.
const mostRoutes = 10_000;

/** Makes the counts of a gateway's routes; services that clients name are not counted one by one. */
export function createRouteCounts(): RouteCounts {
  const counted = new Map<string, { -readonly [Name in keyof RouteCount]: number }>();
  return { note, of: (routeId) => counted.get(routeId) ?? nothing };

  function note({ route, error, cache }: RequestRecord): void {
    let count = counted.get(route.id);
    if (count === undefined) {
      if (counted.size >= mostRoutes || isUnlisted(route.config)) return;
      counted.set(route.id, (count = { ...nothing }));
    }
    count.requests += 1;
    if (error === "rate-limited") count.refused += 1;
    if (cache !== undefined) count[cache] += 1;
  }
}

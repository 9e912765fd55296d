import { type Degraded, joinDegraded, listDegraded } from "../observing/degraded.ts";
import type { ErrorCount, TrafficCounts, TrafficEntry, TrafficFeed } from "./latest-requests.ts";

/** What a page has seen: of each process, by its number, the latest entry. */
export type SeenTraffic = Readonly<Record<string, number>>;

/** What one process tells of its traffic. */
type ToldTraffic = Readonly<{
  process: number;
  entries: readonly TrafficEntry[];
  counts: TrafficCounts;
  state: LoadOfProcess;
}>;

/** How a gateway is doing, in a few numbers. */
type GatewayLoad = Readonly<{
  status: string;
  routes: number;
  running: number;
  sockets: number;
  loadedAt: number;
  lastFailure: Readonly<{ at: number; message: string }> | undefined;
  degraded: readonly string[];
}>;

/** The same of one process, before it is joined with that of the others. */
export type LoadOfProcess = Omit<GatewayLoad, "degraded"> & Readonly<{ degraded: Degraded }>;

/** An entry with the process that it comes from: numbers count up in each. */
type NewEntry = TrafficEntry & Readonly<{ process: number }>;

/** What is new for a page. */
export type TrafficNews = Readonly<{
  entries: readonly NewEntry[];
  /** How many were not kept until the page asked. */
  skipped: number;
  counts: TrafficCounts;
  state: GatewayLoad;
}>;

/** Makes the function that tells what a page has not seen of this process. */
export function createTellTraffic(
  feed: TrafficFeed,
  state: () => LoadOfProcess,
): (seen: SeenTraffic) => Promise<ToldTraffic> {
  return function tellTraffic(seen) {
    const entries = feed.after(seen[process.pid] ?? 0);
    return Promise.resolve({ process: process.pid, entries, counts: feed.counts(), state: state() });
  };
}

/** Joins what several processes tell; the first one tells what is the same in all. */
export function joinTraffic(told: readonly ToldTraffic[], seen: SeenTraffic): TrafficNews {
  const entries = told.flatMap(({ process, entries: some }) => some.map((entry) => ({ ...entry, process })));
  return {
    entries: told.length === 1 ? entries : entries.sort((one, other) => endOf(one) - endOf(other)),
    skipped: sum(
      told.map(({ process, entries: [first] }) => (first === undefined ? 0 : first.number - 1 - (seen[process] ?? 0))),
    ),
    counts: joinCounts(told.map(({ counts }) => counts)),
    state: joinLoads(told.map(({ state }) => state)),
  };
}

/** What a page has seen once it was told the news. */
export function noteSeen(seen: SeenTraffic, { entries }: Pick<TrafficNews, "entries">): SeenTraffic {
  const latest = Object.fromEntries(entries.map(({ process, number }) => [process, number]));
  return { ...seen, ...latest };
}

function endOf({ at, duration }: TrafficEntry): number {
  return at + duration;
}

function joinCounts(all: readonly TrafficCounts[]): TrafficCounts {
  if (all.length === 1) return all[0]!;
  const statuses = Map.groupBy(
    all.flatMap((counts) => Object.entries(counts.statuses)),
    ([kind]) => kind,
  );
  const errors = Map.groupBy(
    all.flatMap((counts) => counts.errors),
    ({ error, route }) => JSON.stringify([error, route]),
  );
  return {
    requests: sum(all.map(({ requests }) => requests)),
    statuses: Object.fromEntries([...statuses].map(([kind, counts]) => [kind, sum(counts.map(([, count]) => count))])),
    errors: [...errors.values()].map(joinErrors).sort((one, other) => other.count - one.count),
  };
}

function joinErrors(same: readonly ErrorCount[]): ErrorCount {
  const latest = same.reduce((one, other) => (other.lastAt > one.lastAt ? other : one));
  return { ...latest, count: sum(same.map(({ count }) => count)) };
}

function joinLoads(all: readonly LoadOfProcess[]): GatewayLoad {
  const degraded = listDegraded(joinDegraded(all.map((load) => load.degraded)));
  const running = sum(all.map((load) => load.running));
  return { ...all[0]!, running, sockets: sum(all.map(({ sockets }) => sockets)), degraded };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

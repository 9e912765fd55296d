import { shownRouteId } from "../secrets/shown-route.ts";
import type { RequestRecord } from "../observing/observer.ts";
import { errorOf } from "./what-counts-as-error.ts";

/** One finished request as the page shows it. */
export type TrafficEntry = Readonly<{
  /** Counts up from 1. */
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  method: string;
  path: string;
  route: string;
  target: string | undefined;
  status: number;
  /** Milliseconds. */
  duration: number;
  error: string | undefined;
  /** Who was let in. */
  identity: RequestRecord["identity"];
}>;

/** How often a kind of failure was seen. */
export type ErrorCount = Readonly<{ error: string; route: string; count: number; lastAt: number; lastPath: string }>;

/** What was seen since the inspector was made. */
export type TrafficCounts = Readonly<{
  requests: number;
  /** By the first digit of the status, e.g. `2xx`. */
  statuses: Readonly<Record<string, number>>;
  /** The most frequent first. */
  errors: readonly ErrorCount[];
}>;

/** Keeps the latest requests of a gateway, and counts. */
export type TrafficFeed = Readonly<{
  note: (record: RequestRecord) => void;
  /** The kept entries after a number, oldest first. */
  after: (number: number) => readonly TrafficEntry[];
  counts: () => TrafficCounts;
  /** Calls the listener when there is something new; the function that comes back ends that. */
  subscribe: (listener: () => void) => () => void;
}>;

const kept = 200;
// Long enough to know a request by: clients with long paths fill no page, and keep none from following.
const longestPath = 2_000;
const longestExample = 200;
// Codes and routes are few; handlers that invent codes get no more room than this.
const mostErrorKinds = 500;

/** Makes a feed that keeps the latest 200 requests, however many there are. */
export function createTrafficFeed(): TrafficFeed {
  const entries: TrafficEntry[] = [];
  const statuses: Record<string, number> = {};
  const errors = new Map<string, ErrorCount>();
  const listeners = new Set<() => void>();
  let requests = 0;
  return {
    note,
    after: (number) => entries.filter((entry) => entry.number > number),
    counts: () => ({
      requests,
      statuses: { ...statuses },
      errors: [...errors.values()].sort((one, other) => other.count - one.count),
    }),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };

  function note(record: RequestRecord): void {
    requests += 1;
    entries.push(toEntry(record, requests));
    if (entries.length > kept) entries.shift();
    const kind = `${Math.floor(record.status / 100)}xx`;
    statuses[kind] = (statuses[kind] ?? 0) + 1;
    const error = errorOf(record);
    if (error !== undefined) countError(error, record);
    for (const listener of listeners) listener();
  }

  function countError(error: string, { route, path, startedAt }: RequestRecord): void {
    const key = JSON.stringify([error, route.id]);
    const before = errors.get(key);
    if (before === undefined && errors.size >= mostErrorKinds) return;
    errors.set(key, {
      error,
      route: shownRouteId(route),
      count: (before?.count ?? 0) + 1,
      lastAt: startedAt,
      lastPath: cut(path, longestExample),
    });
  }
}

function toEntry(record: RequestRecord, number: number): TrafficEntry {
  const { startedAt, method, path, route, target, status, duration, error, identity } = record;
  const shown = {
    path: cut(path, longestPath),
    target: target === undefined ? undefined : cut(target, longestPath),
  };
  return { number, at: startedAt, method, ...shown, route: shownRouteId(route), status, duration, error, identity };
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

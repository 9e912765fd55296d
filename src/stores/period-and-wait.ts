import type { Quota, Taken } from "./store.ts";

/** What one client has taken since its period began. */
export type Count = {
  readonly startedAt: number;
  total: number;
  isRefused: boolean;
  /** When it is over: then a new one begins. */
  endsAt: number;
};

/** Begins a period. */
export function beginCount(now: number, { period }: Quota): Count {
  return { startedAt: now, total: 0, isRefused: false, endsAt: now + period };
}

/** Takes one more; the first that is refused begins the wait, and no later one prolongs it. */
export function takeOne(count: Count, now: number, { limit, wait }: Quota): void {
  if (count.total < limit) {
    count.total += 1;
    return;
  }
  if (!count.isRefused && wait > 0) count.endsAt = now + wait;
  count.isRefused = true;
}

/** What a client gets to know of its count. */
export function describeCount(count: Count, now: number, { limit, period }: Quota): Taken {
  const left = count.endsAt - now;
  if (count.isRefused) return { remaining: 0, refusedFor: left, resetsIn: left };
  return { remaining: limit - count.total, refusedFor: undefined, resetsIn: count.startedAt + period - now };
}

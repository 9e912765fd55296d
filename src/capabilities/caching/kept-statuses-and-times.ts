import type { CacheConfig, cacheModes } from "./cache-keys.ts";

/** How long answers of a route are kept; milliseconds. */
export type KeptTimes = Readonly<{
  mode: (typeof cacheModes)[number];
  /** By RFC 9111 answers say it themselves. */
  ttl: number;
  errorTtl: number;
}>;

/** The longest time for which an answer is kept, whatever it says. */
export const longestKept = 604_800_000;

const usualErrorSeconds = 10;

const kept: ReadonlySet<number> = new Set([200, 203, 204, 300, 301, 308]);
const keptForShort: ReadonlySet<number> = new Set([404, 410]);

/** How long answers are kept as the options say, or as is usual. */
export function readKeptTimes({ Mode, TtlSeconds, ErrorTtlSeconds }: CacheConfig): KeptTimes {
  return {
    mode: Mode ?? "Ttl",
    ttl: (TtlSeconds ?? 0) * 1_000,
    errorTtl: (ErrorTtlSeconds ?? usualErrorSeconds) * 1_000,
  };
}

/** Whether answers with a status may be kept at all. */
export function isKeptStatus(status: unknown): boolean {
  return kept.has(status as number) || keptForShort.has(status as number);
}

/** How long an answer with this status may be kept at most, in milliseconds; 0 for not at all. */
export function longestTime(status: number, { ttl, errorTtl, mode }: KeptTimes): number {
  const longest = mode === "Rfc" ? Infinity : ttl;
  if (kept.has(status)) return longest;
  return keptForShort.has(status) ? Math.min(longest, errorTtl) : 0;
}

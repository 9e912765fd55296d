import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { effectiveSection } from "../../schema/effective-section.ts";
import type { CacheConfig } from "./cache-keys.ts";
import { type KeptTimes, readKeptTimes } from "./kept-statuses-and-times.ts";

/** What is cached of a route, once all is written that is needed. */
export type CacheSettings = KeptTimes &
  Readonly<{
    region: string | undefined;
    /** In lower case. */
    header: string;
    hashesContent: boolean;
    beforeHandlers: boolean;
    longestBody: number;
    byIdentity: boolean;
  }>;

/** Of a route, what decides what is cached of it. */
type CachedRoute = Readonly<Partial<Pick<RouteConfig, "Key" | "CacheOptions">>>;
type Global = Readonly<Partial<Pick<GlobalConfig, "CacheOptions">>>;

const usualHeader = "OC-Cache-Control";
const usualLongestBody = 1_048_576;

/** The options that hold for a route: its own over the global ones; undefined where nothing is cached. */
export function effectiveCacheOptions(route: CachedRoute, global: Global): CacheConfig | undefined {
  const options = effectiveSection(withoutBlanks(route.CacheOptions), withoutBlanks(global.CacheOptions), route.Key);
  if (options === undefined) return undefined;
  const { TtlSeconds: seconds, Mode: mode } = options;
  const isOn = mode === "Rfc" ? (seconds ?? 1) > 0 : (seconds ?? 0) > 0;
  return isOn ? options : undefined;
}

/** What is cached of a route; undefined where nothing is. */
export function effectiveCache(route: CachedRoute, global: Global): CacheSettings | undefined {
  const options = effectiveCacheOptions(route, global);
  if (options === undefined) return undefined;
  return {
    ...readKeptTimes(options),
    region: options.Region,
    header: (options.Header ?? usualHeader).toLowerCase(),
    hashesContent: options.EnableContentHashing ?? false,
    beforeHandlers: options.BeforeHandlers ?? false,
    longestBody: options.MaxEntryBytes ?? usualLongestBody,
    byIdentity: options.By === "Identity",
  };
}

/** Tools write out empty texts for what nobody has set. */
function withoutBlanks(options: CacheConfig | undefined): CacheConfig | undefined {
  return options && Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ""));
}

/** How long answers of a route are kept, and for whom, in a few words; undefined where none is. */
export function describeCache(route: CachedRoute, global: Global): string | undefined {
  const cache = effectiveCache(route, global);
  if (cache === undefined) return undefined;
  const { mode, ttl, region, header, byIdentity, hashesContent } = cache;
  return [
    mode === "Rfc" ? "as answers say (RFC 9111)" : `${ttl / 1_000} s`,
    ...(header === usualHeader.toLowerCase() ? [] : [`for each ${header}`]),
    ...(byIdentity ? ["for each identity"] : []),
    ...(hashesContent ? ["POST too"] : []),
    ...(region === undefined ? [] : [`region ${JSON.stringify(region)}`]),
  ].join(", ");
}

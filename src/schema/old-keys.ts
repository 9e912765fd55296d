import type { SectionName } from "../config/sections.ts";

/** What an old key is read as today; undefined where it is ignored. */
export type OldKey = Readonly<{
  name: string;
  today: string | undefined;
  instead: string;
  /** Files of today have it as well: it is worth a word only beside today's spelling. */
  isUsual?: true;
  /** Where today's spelling is written as well, both count, key by key, and today's first. */
  isMerged?: true;
}>;

const isUsual = true;

/** Spellings of earlier Ocelot versions that are still about: read, most of them with a warning. */
export const oldKeys: Readonly<Record<SectionName, readonly OldKey[]>> = {
  root: [
    { name: "ReRoutes", today: "Routes", instead: 'write "Routes"' },
    { name: "DynamicReRoutes", today: "DynamicRoutes", instead: 'write "DynamicRoutes"' },
  ],
  dynamicRoute: [{ name: "RateLimitRule", today: "RateLimitOptions", instead: 'write "RateLimitOptions"' }],
  route: [
    { name: "ReRouteIsCaseSensitive", today: "RouteIsCaseSensitive", instead: 'write "RouteIsCaseSensitive"' },
    { name: "LoadBalancer", today: "LoadBalancerOptions", instead: 'write "LoadBalancerOptions": { "Type": … }' },
    { name: "FileCacheOptions", today: "CacheOptions", instead: 'write "CacheOptions"', isUsual, isMerged: true },
    {
      name: "DownstreamHost",
      today: "DownstreamHostAndPorts",
      instead: 'write "DownstreamHostAndPorts": [{ "Host": … }]',
    },
    { name: "DownstreamPort", today: undefined, instead: 'write "DownstreamHostAndPorts": [{ "Port": … }]' },
    { name: "UseServiceDiscovery", today: undefined, instead: 'remove it, since "ServiceName" alone decides' },
  ],
  aggregate: [
    { name: "ReRouteKeys", today: "RouteKeys", instead: 'write "RouteKeys"' },
    { name: "ReRouteKeysConfig", today: "RouteKeysConfig", instead: 'write "RouteKeysConfig"' },
    { name: "ReRouteIsCaseSensitive", today: "RouteIsCaseSensitive", instead: 'write "RouteIsCaseSensitive"' },
  ],
  rateLimits: [
    { name: "HttpStatusCode", today: "StatusCode", instead: 'write "StatusCode"', isUsual },
    { name: "QuotaExceededMessage", today: "QuotaMessage", instead: 'write "QuotaMessage"', isUsual },
    { name: "RateLimitCounterPrefix", today: "KeyPrefix", instead: 'write "KeyPrefix"', isUsual },
    { name: "PeriodTimespan", today: "Wait", instead: 'write "Wait", such as "2s" for 2', isUsual },
    {
      name: "DisableRateLimitHeaders",
      today: "EnableHeaders",
      instead: 'write "EnableHeaders", which says the opposite',
      isUsual,
    },
  ],
  quality: [
    {
      name: "ExceptionsAllowedBeforeBreaking",
      today: "MinimumThroughput",
      instead: 'write "MinimumThroughput"',
      isUsual,
    },
    { name: "DurationOfBreak", today: "BreakDuration", instead: 'write "BreakDuration"', isUsual },
    { name: "TimeoutValue", today: "Timeout", instead: 'write "Timeout"', isUsual },
  ],
  options: [{ name: "Metadata", today: undefined, instead: 'write it under "GlobalConfiguration"' }],
};

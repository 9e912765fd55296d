import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { reachesRoute } from "../../schema/effective-section.ts";
import type { limitedBy, RateLimitConfig, storeFailures } from "./rate-limit-keys.ts";
import { readPeriod, readWait } from "./read-period.ts";

/** By what the clients of a route are told apart. */
type LimitedBy = (typeof limitedBy)[number];

/** How often the clients of a route may ask, once all is written that is needed; milliseconds. */
export type RateLimit = Readonly<{
  limit: number;
  period: number;
  /** As it is written. */
  periodText: string;
  wait: number;
  by: LimitedBy;
  /** A second limit, by address. */
  addressLimit: number | undefined;
  header: string;
  free: readonly string[];
  showsHeaders: boolean;
  text: string | undefined;
  status: number;
  prefix: string;
  onStoreFailure: (typeof storeFailures)[number];
}>;

/** Of a route, what decides how often its clients may ask. */
type LimitedRoute = Readonly<Partial<Pick<RouteConfig, "Key" | "RateLimitOptions">>>;
type Global = Readonly<Partial<Pick<GlobalConfig, "RateLimitOptions">>>;

const usualPeriod = "1s";

/** The status of a refusal where none is written. */
export const usualStatus = 429;

/** Whether a status tells a client that it was refused. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status <= 599;
}

/** The options that hold for a route: its own over the global ones; undefined where nothing limits it. */
export function effectiveOptions(route: LimitedRoute, global: Global): RateLimitConfig | undefined {
  if (route.RateLimitOptions === undefined && global.RateLimitOptions === undefined) return undefined;
  const { RateLimitOptions: own = {} } = route;
  const shared = sharedOptions(route, global);
  if (own.EnableRateLimiting === false) return undefined;
  const limitsItself = isSet(own.Limit) || own.EnableRateLimiting === true;
  if (shared.EnableRateLimiting === false && !limitsItself) return undefined;
  const isAsked = saysSomething(own);
  if (!isAsked && !setsLimit(shared)) return undefined;
  const usual = isSet(shared.Limit) ? { Period: usualPeriod } : {};
  const defaults = setsLimit(shared) ? shared : withoutZeros(shared);
  return { ...usual, ...defaults, ...(isAsked ? own : withoutZeros(own)) };
}

/** How often the clients of a route may ask; undefined where nothing limits it. Rules have seen that nothing is missing. */
export function effectiveLimit(route: LimitedRoute, global: Global): RateLimit | undefined {
  const options = effectiveOptions(route, global);
  if (options?.Limit === undefined || options.Period === undefined) return undefined;
  const { Period: periodText } = options;
  return {
    limit: options.Limit,
    period: readPeriod(periodText)!,
    periodText,
    wait: readWait(options.Wait ?? "0")!,
    by: options.By ?? "Header",
    addressLimit: options.AddressLimit,
    header: options.ClientIdHeader ?? "Oc-Client",
    free: options.ClientWhitelist ?? [],
    showsHeaders: options.EnableHeaders ?? true,
    text: options.QuotaMessage,
    status: isRefusal(options.StatusCode ?? 0) ? options.StatusCode! : usualStatus,
    prefix: options.KeyPrefix ?? "waymark",
    onStoreFailure: options.OnStoreFailure ?? "Count",
  };
}

/** The global options, where they hold for a route. */
function sharedOptions({ Key }: LimitedRoute, { RateLimitOptions: options }: Global): RateLimitConfig {
  return options !== undefined && reachesRoute(options, Key) ? options : {};
}

/** Whether global options limit routes; others are only defaults for them. */
export function setsLimit({ Limit, Period }: RateLimitConfig): boolean {
  return isSet(Limit) || isSet(Period);
}

/** Whether options say anything: tools write out 0, false and empty texts for what nobody has set. */
export function saysSomething(options: RateLimitConfig): boolean {
  return Object.values({ ...options, RouteKeys: undefined }).some(isSet);
}

/** The same without what nobody has set. */
export function withoutZeros(options: RateLimitConfig): RateLimitConfig {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value === false || isSet(value)));
}

function isSet(value: unknown): boolean {
  if (typeof value === "string") return value !== "" && readWait(value) !== 0;
  return value !== undefined && value !== 0 && value !== false;
}

/** How often clients may ask, in a few words. */
export function describeLimit({ limit, periodText, by, header, addressLimit, wait }: RateLimit): string {
  const who = { Header: `each ${header}`, Address: "each address", Identity: "each identity", Route: "all together" }[
    by
  ];
  const second = addressLimit === undefined ? [] : [`${addressLimit} for each address`];
  const waiting = wait === 0 ? [] : [`then refused for ${wait / 1_000} s`];
  return [`${limit} per ${periodText.trim()} for ${who}`, ...second, ...waiting].join(", ");
}

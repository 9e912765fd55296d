import { isDeepStrictEqual } from "node:util";
import { hasLists } from "../capabilities/address-lists/effective-lists.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import { type GlobalConfig, globalSection, type RouteConfig } from "../config/sections.ts";
import { methodsOf, nameOfRoute } from "../route-name.ts";
import { reachesRoute } from "../schema/effective-section.ts";
import type { Key } from "../schema/key.ts";
import { describeUpstream } from "../secrets/describe-upstream.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import { compareAggregates, differingKeys } from "./compare-aggregates.ts";
import type { RouteChanges, RouteDifferences } from "./route-differences.ts";

/** A route of the configuration before, and whether the one that took its place is just like it. */
type EarlierRoute = Readonly<{ index: number; isSame: boolean }>;

/** How two configurations differ, and what each route of the later one goes back to, by its index. */
type RoutePairs = Readonly<{ changes: RouteChanges; earlier: readonly (EarlierRoute | undefined)[] }>;

/** Tells which routes were added, removed or changed; also by a global setting that reaches them. */
export function compareRoutes(before: GatewayConfig, after: GatewayConfig): RouteChanges {
  return runAtOnce(pairRoutes(before, after)).changes;
}

/** The same in steps, with the pairs. */
export function* pairRoutes(before: GatewayConfig, after: GatewayConfig): Steps<RoutePairs> {
  const left = yield* indexByName(before);
  const globalChanges = findGlobalChanges(before, after);
  const earlier: (EarlierRoute | undefined)[] = [];
  const added: string[] = [];
  const changed: string[] = [];
  for (const route of after.routes) {
    yield;
    const name = nameOfRoute(route);
    const index = left.get(name);
    left.delete(name);
    const isSame =
      index !== undefined &&
      !globalChanges.some(({ reaches }) => reaches(route)) &&
      isDeepStrictEqual(before.routes[index], route);
    earlier.push(index === undefined ? undefined : { index, isSame });
    if (index === undefined) added.push(labelOfRoute(route));
    else if (!isSame) changed.push(labelOfRoute(route));
  }
  const removed = [...left.values()].map((index) => labelOfRoute(before.routes[index]!));
  const ofAggregates = compareAggregates(before, after).changes;
  const changes = {
    added: [...added, ...ofAggregates.added],
    removed: [...removed, ...ofAggregates.removed],
    changed: [...changed, ...ofAggregates.changed],
  };
  return { changes, earlier };
}

/** Tells which routes differ, and the changed ones by which keys. */
export function compareKeys(before: GatewayConfig, after: GatewayConfig): RouteDifferences {
  const { changes, earlier } = runAtOnce(pairRoutes(before, after));
  const globalChanges = findGlobalChanges(before, after);
  const changedKeys = after.routes.flatMap((route, at) => {
    const pair = earlier[at];
    if (pair === undefined || pair.isSame) return [];
    const own = differingKeys(before.routes[pair.index]!, route);
    const reaching = globalChanges.filter(({ reaches }) => reaches(route));
    return [{ route: labelOfRoute(route), keys: [...own, ...reaching.map(({ key }) => `GlobalConfiguration.${key}`)] }];
  });
  return { changes, changedKeys: [...changedKeys, ...compareAggregates(before, after).changedKeys] };
}

function* indexByName({ routes }: GatewayConfig): Steps<Map<string, number>> {
  const byName = new Map<string, number>();
  for (const [index, route] of routes.entries()) {
    yield;
    byName.set(nameOfRoute(route), index);
  }
  return byName;
}

/** A route as it may be told to people. */
export function labelOfRoute(route: RouteConfig): string {
  return route.Key ?? methodsOf(route) + describeUpstream(route);
}

type Reaches = (route: RouteConfig) => boolean;

/** What a global setting means to routes: to which of them it makes a difference, and which part of it. */
type GlobalMeaning = Readonly<{ reaches: Reaches; partOf?: (global: GlobalConfig) => unknown }>;

const globalMeanings: Readonly<Record<keyof GlobalConfig, GlobalMeaning>> = {
  BaseUrl: { reaches: (route) => transformKeys.some((key) => namesBaseUrl(route[key])) },
  Extensions: { reaches: () => false },
  Metadata: { reaches: () => true },
  MetadataOptions: { reaches: () => true },
  // Concurrent counts the requests of the gateway, not those of a route.
  Limits: { reaches: () => true, partOf: ({ Limits }) => ({ ...Limits, Concurrent: undefined }) },
  SecurityOptions: { reaches: ({ SecurityOptions }) => SecurityOptions === undefined || !hasLists(SecurityOptions) },
  RateLimitOptions: { reaches: ({ RateLimitOptions: own }) => own?.EnableRateLimiting !== false },
  CacheOptions: { reaches: () => true },
  UpstreamHeaderTransform: { reaches: () => true, partOf: (global) => transformsOf(global, "UpstreamHeaderTransform") },
  DownstreamHeaderTransform: {
    reaches: () => true,
    partOf: (global) => transformsOf(global, "DownstreamHeaderTransform"),
  },
  AuthenticationOptions: { reaches: () => true },
  AuthenticationSchemes: { reaches: () => true },
  IdentityKey: { reaches: () => true },
  Redis: { reaches: () => false },
  TimeoutStatus: { reaches: () => true },
  QoSOptions: { reaches: () => true },
  HttpHandlerOptions: { reaches: () => true },
  // Whatever is written, HTTP/1.1 is spoken where the gateway has started.
  DownstreamHttpVersion: { reaches: () => false },
  DownstreamHttpVersionPolicy: { reaches: () => false },
  Timeout: { reaches: ({ Timeout }) => Timeout === undefined },
  RequestIdKey: { reaches: ({ RequestIdKey }) => RequestIdKey === undefined },
  AllowedOrigins: { reaches: ({ AllowedOrigins }) => AllowedOrigins === undefined },
  Tls: { reaches: ({ Tls }) => Tls === undefined },
  StickyKey: { reaches: () => true },
  LoadBalancerOptions: { reaches: () => true },
  DownstreamScheme: { reaches: ({ DownstreamScheme }) => DownstreamScheme === undefined },
  ServiceDiscoveryProvider: {
    reaches: ({ ServiceName, ServiceProvider }) => ServiceName !== undefined && ServiceProvider === undefined,
  },
  Providers: { reaches: ({ ServiceProvider }) => ServiceProvider !== undefined },
};

const transformKeys = ["UpstreamHeaderTransform", "DownstreamHeaderTransform"] as const;

/** What header transforms come to also depends on the address that they name. */
function transformsOf(global: GlobalConfig, key: (typeof transformKeys)[number]): readonly unknown[] {
  return [global[key], namesBaseUrl(global[key]) ? global.BaseUrl : undefined];
}

function namesBaseUrl(transforms: GlobalConfig["UpstreamHeaderTransform"] = {}): boolean {
  return JSON.stringify(transforms).includes("{BaseUrl}");
}

/** Of each global setting that differs, which routes it reaches. */
function findGlobalChanges(before: GatewayConfig, after: GatewayConfig): Readonly<{ key: string; reaches: Reaches }>[] {
  const [one, other] = [globalConfigOf(before) ?? {}, globalConfigOf(after) ?? {}];
  return Object.entries(globalMeanings).flatMap(([key, meaning]) => {
    const { reaches, partOf = (global) => global[key as keyof GlobalConfig] } = meaning;
    if (isDeepStrictEqual(partOf(one), partOf(other))) return [];
    return [{ key, reaches: (route) => reaches(route) && isMeant(key, route, [one, other]) }];
  });
}

/** Whether one of two sections for all routes is for a route: those with `RouteKeys` are for some only. */
function isMeant(name: string, { Key: own }: RouteConfig, globals: readonly GlobalConfig[]): boolean {
  const key: Key = globalSection.keys[name as keyof GlobalConfig];
  if (key.kind !== "section" || !Object.hasOwn(key.section.keys, "RouteKeys")) return true;
  const sections = globals.map(
    (global) => global[name as keyof GlobalConfig] as Parameters<typeof reachesRoute>[0] | undefined,
  );
  return sections.some((section) => section !== undefined && reachesRoute(section, own));
}

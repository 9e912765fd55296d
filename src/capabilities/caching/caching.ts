import type { RouteConfig } from "../../config/sections.ts";
import { type CapabilitySurroundings, defineCapability, type RoutePart } from "../capability.ts";
import { ownBalancerOf } from "../../discovery/balancer-of.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { type CacheSettings, effectiveCache } from "./effective-cache.ts";
import { createHeadersSetHere } from "./headers-set-here.ts";
import { createTtlFreshness } from "./freshness.ts";
import { createRfcFreshness } from "./rfc-freshness.ts";
import { groupsOf } from "./purge-groups.ts";
import { tellCache } from "./tell-cache.ts";
import { createTargetChanges } from "./changes-end-answers.ts";
import { nameOfMaking } from "./begins-anew-after-reload.ts";
import { prepareCaches, type SharedByCaches } from "./shared-by-caches.ts";

/** Gives answers again before a host is chosen, on routes whose hosts no code chooses, or where it is asked for. */
export const cache = defineCapability<SharedByCaches>("cache", {
  tells: tellCache,
  prepare: prepareCaches,
  compile(config, shared, surroundings) {
    const settings = effectiveCache(config, surroundings.global);
    if (settings === undefined || standsBehindCode(settings, config, surroundings)) return undefined;
    return { aroundHost: createCache(config, settings, shared, surroundings) };
  },
});

/** Gives answers again behind the code of the app on a route, handlers or a balancer, which runs for every request. */
export const cacheBehindCode = defineCapability<SharedByCaches>("cache behind code", {
  sharesWith: cache,
  compile(config, shared, surroundings) {
    const settings = effectiveCache(config, surroundings.global);
    if (settings === undefined || !standsBehindCode(settings, config, surroundings)) return undefined;
    return { aroundSending: createCache(config, settings, shared, surroundings) };
  },
});

function standsBehindCode(
  { beforeHandlers }: CacheSettings,
  config: RouteConfig,
  surroundings: CapabilitySurroundings,
): boolean {
  return !beforeHandlers && hasCode(config, surroundings);
}

/** Whether code of the app changes or answers what is sent, or chooses where: a cache stands before that, or behind it. */
function hasCode(config: RouteConfig, surroundings: CapabilitySurroundings): boolean {
  return hasHandlers(config, surroundings) || ownBalancerOf(config, surroundings.global) !== undefined;
}

function hasHandlers(
  { DelegatingHandlers: named = [] }: RouteConfig,
  { options: { handlers = [] } }: CapabilitySurroundings,
): boolean {
  return named.length + handlers.length > 0;
}

function createCache(
  config: RouteConfig,
  settings: CacheSettings,
  { flights, rooms }: SharedByCaches,
  surroundings: CapabilitySurroundings,
): NonNullable<RoutePart["aroundHost"]> {
  const { global, answers, logger } = surroundings;
  return createAnswerCache({
    making: nameOfMaking(config, global),
    idHeader: (config.RequestIdKey ?? global.RequestIdKey)?.toLowerCase(),
    setHere: createHeadersSetHere(config, global),
    settings,
    freshness: settings.mode === "Rfc" ? createRfcFreshness(settings) : createTtlFreshness(settings),
    changes: settings.mode === "Rfc" ? createTargetChanges(answers) : undefined,
    hasCodeBehind: settings.beforeHandlers && hasCode(config, surroundings),
    groups: groupsOf(config, settings),
    store: answers,
    flights,
    rooms,
    logger,
  });
}

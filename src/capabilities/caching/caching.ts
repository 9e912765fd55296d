import { hash } from "node:crypto";
import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { nameOfRoute } from "../../route-name.ts";
import { type CapabilitySurroundings, defineCapability, type RoutePart } from "../capability.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { type CacheSettings, effectiveCache } from "./effective-cache.ts";
import type { Landed, Rooms } from "./fetch-answer.ts";
import { createHeadersSetHere } from "./headers-set-here.ts";
import { createTtlFreshness } from "./freshness.ts";
import { createRfcFreshness } from "./rfc-freshness.ts";
import { createFlights, type Flights } from "./wait-for-one-call.ts";
import { groupsOf } from "./purge-groups.ts";
import { createByteRoom } from "../../bodies/byte-room.ts";
import { tellCache } from "./tell-cache.ts";
import { createTargetChanges } from "./changes-end-answers.ts";

/** What the routes share over all reloads: the calls that are under way, and the rooms for their answers. */
type Shared = Readonly<{ flights: Flights<Landed>; rooms: Rooms }>;

// Both together are as much as the memory store keeps.
const roomBytes = 33_554_432;

const prepare = (_surroundings: unknown, earlier: Shared | undefined): Shared =>
  earlier ?? {
    flights: createFlights(),
    rooms: { collected: createByteRoom(roomBytes), waiting: createByteRoom(roomBytes) },
  };

/** Gives answers again before a host is chosen, on routes without delegating handlers, or where it is asked for. */
export const cache = defineCapability<Shared>("cache", {
  tells: tellCache,
  prepare,
  compile(config, shared, surroundings) {
    const settings = effectiveCache(config, surroundings.global);
    if (settings === undefined || standsBehindHandlers(settings, config, surroundings)) return undefined;
    return { aroundHost: createCache(config, settings, shared, surroundings) };
  },
});

/** Gives answers again behind the delegating handlers of a route, which run for every request. */
export const cacheBehindHandlers = defineCapability<Shared>("cache behind handlers", {
  prepare,
  compile(config, shared, surroundings) {
    const settings = effectiveCache(config, surroundings.global);
    if (settings === undefined || !standsBehindHandlers(settings, config, surroundings)) return undefined;
    return { aroundSending: createCache(config, settings, shared, surroundings) };
  },
});

function standsBehindHandlers(
  { beforeHandlers }: CacheSettings,
  { DelegatingHandlers: named = [] }: RouteConfig,
  { options: { handlers = [] } }: CapabilitySurroundings,
): boolean {
  return !beforeHandlers && named.length + handlers.length > 0;
}

function createCache(
  config: RouteConfig,
  settings: CacheSettings,
  { flights, rooms }: Shared,
  { global, answers, logger }: CapabilitySurroundings,
): NonNullable<RoutePart["aroundHost"]> {
  return createAnswerCache({
    making: nameOfMaking(config, global),
    idHeader: (config.RequestIdKey ?? global.RequestIdKey)?.toLowerCase(),
    setHere: createHeadersSetHere(config, global),
    settings,
    freshness: settings.mode === "Rfc" ? createRfcFreshness(settings) : createTtlFreshness(settings),
    changes: settings.mode === "Rfc" ? createTargetChanges(answers) : undefined,
    groups: groupsOf(config, settings),
    store: answers,
    flights,
    rooms,
    logger,
  });
}

// These decide whether, when and how long something is asked, never for whom, nor what a service is sent and answers.
const withoutEffect: ReadonlySet<string> = new Set([
  "Limits",
  "Timeout",
  "TimeoutStatus",
  "QoSOptions",
  "RateLimitOptions",
] satisfies readonly (keyof GlobalConfig)[]);

/** A name of all that an answer may come from besides its request: a new key of the configuration counts, too. */
function nameOfMaking(config: RouteConfig, global: GlobalConfig): string {
  const making = Object.entries(global).filter(([key]) => !withoutEffect.has(key));
  const parts = [nameOfRoute(config), config, Object.fromEntries(making)];
  return hash("sha256", JSON.stringify(parts, withBigIntegers), "base64url");
}

/** Claims of a scheme may hold integers for which JSON has no form here. */
function withBigIntegers(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

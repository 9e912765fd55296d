import type { IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { allowsAnyService } from "../config/dynamic-routes.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { Provider } from "../discovery/provider.ts";
import type { Service } from "../discovery/service.ts";
import type { UnlistedServices } from "../discovery/unlisted-services.ts";
import type { WatchedService } from "../discovery/watched-service.ts";
import { fixedSource, type HostSource } from "../hosts/host-source.ts";
import { createRouteIndex, type RouteIndex } from "../routing/index/route-index.ts";
import { type MatchedRequest, matchRequest } from "../routing/match-request.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import type { CompiledRoute } from "./compiled-route.ts";
import { compileRoutes, type EarlierCompiled, type RouteSurroundings } from "./compile-routes.ts";
import type { ServiceRound } from "./find-services.ts";
import { defineRoute } from "./index-routes.ts";
import { gatherListed, type ListedServices } from "./listed-services.ts";
import { anySpelling, readService, routeOfUnlisted, withoutRouteKeys } from "./unlisted-service.ts";

/** What is found for a request that no route takes: a service, a moment to ask again, that nobody can tell, or nothing. */
type FoundUnlisted = MatchedRequest<CompiledRoute> | Promise<void> | "unavailable" | undefined;

/** Finds services that no configuration names, by the first segment of the path. */
export type UnlistedRoutes = Readonly<{
  find: (req: IncomingMessage) => FoundUnlisted;
  /** The routes of those that clients have asked for, and that were there. */
  compiled: () => ReadonlyMap<WatchedService, CompiledRoute>;
}>;

/** What the routes of such services are made with, and what there was before. */
type UnlistedSurroundings = Readonly<{
  surroundings: RouteSurroundings;
  services: UnlistedServices;
  /** Finds those that the configuration lists. */
  findListed: ServiceRound["find"];
  before: Readonly<{ config: GatewayConfig; unlisted: UnlistedRoutes | undefined }> | undefined;
}>;

type Known = Readonly<{ source: HostSource; compiled: CompiledRoute; index: RouteIndex<CompiledRoute> }>;

/** The routes of services that clients name, where a configuration lets them; those that were known before stay known. */
export function* createUnlistedRoutes(
  { routes }: GatewayConfig,
  { surroundings, services, findListed, before }: UnlistedSurroundings,
): Steps<UnlistedRoutes | undefined> {
  const { global } = surroundings;
  if (!allowsAnyService(routes, global)) return undefined;
  const provider = surroundings.services.providerOf({ ServiceName: "any" });
  if (provider === undefined) return undefined;
  const earlier = {
    compiled: before?.unlisted?.compiled() ?? new Map<never, never>(),
    isSame: before !== undefined && isDeepStrictEqual(globalConfigOf(before.config), global),
  };
  // What was before is not kept in memory: neither is what was before that.
  const kept = { ...surroundings, earlierAt: () => undefined };
  const listed = gatherListed(routes, findListed);
  return yield* compileAsAsked({ provider, services, surroundings: kept, listed, before: earlier });
}

/** Who is asked, what is known, and what routes are compiled with. */
type UnlistedSources = Readonly<{
  provider: Provider;
  services: UnlistedServices;
  listed: ListedServices;
  surroundings: RouteSurroundings;
  /** The routes of the configuration before, and whether what holds for all routes is the same. */
  before: Readonly<{ compiled: ReadonlyMap<WatchedService, CompiledRoute>; isSame: boolean }>;
}>;

/** Each route is compiled as the first request for it comes. */
function* compileAsAsked(sources: UnlistedSources): Steps<UnlistedRoutes> {
  const { provider, services, listed, surroundings, before } = sources;
  const compile = createCompile(provider, surroundings);
  const known = new Map<WatchedService, Known>();
  // What does not fit together is found out now, and not by the first client.
  compile({ name: "any" }, fixedSource([]));
  for (const [watched, compiled] of before.compiled) {
    yield;
    if (watched.provider !== provider || listed.has(provider, watched.service)) continue;
    known.set(watched, compileWatched(watched, { compiled, isSame: before.isSame }));
  }
  return { find, compiled: () => new Map([...known].map(([watched, { compiled }]) => [watched, compiled])) };

  function find(req: IncomingMessage): FoundUnlisted {
    const service = readService(req.url ?? "", surroundings.global);
    if (service === undefined || listed.has(provider, service)) return undefined;
    // Any service may be one of which it is not known where it is.
    const unknown = listed.unknown();
    if (unknown !== undefined) return askedFirst(unknown) ?? "unavailable";
    const watched = services.find(provider, service);
    if (typeof watched === "string") return watched === "unknown" ? undefined : watched;
    const waiting = askedFirst(watched);
    if (waiting !== undefined) return waiting;
    if (watched.hasInstances() === false) return undefined;
    const { source, index } = routeTo(watched);
    return watched.present.length > 0 && source.present.length === 0 ? undefined : matchRequest(index, req);
  }

  function routeTo(watched: WatchedService): Known {
    const found = known.get(watched) ?? compileWatched(watched);
    if (!known.has(watched)) {
      for (const other of known.keys()) if (other.hasEnded()) known.delete(other);
      known.set(watched, found);
    }
    return found;
  }

  function compileWatched(watched: WatchedService, earlier?: EarlierCompiled): Known {
    return compile(watched.service, listed.without(watched), earlier);
  }
}

type Compile = (service: Service, source: HostSource, earlier?: EarlierCompiled) => Known;

function createCompile(provider: Provider, surroundings: RouteSurroundings): Compile {
  const global = withoutRouteKeys(surroundings.global);
  return function compileService({ name, namespace }, source, earlier) {
    const route = routeOfUnlisted({ name, namespace });
    const services = { find: () => source, providerOf: () => provider };
    const given = { ...surroundings, global, services, earlierAt: () => earlier };
    const compiled = runAtOnce(compileRoutes([route], given))[0]!;
    return { source, compiled, index: createRouteIndex([defineRoute(compiled, anySpelling, route)]) };
  };
}

/** The moment of the first list, where nobody has told one yet; undefined where there is one, or will be none in time. */
function askedFirst(watched: WatchedService): Promise<void> | undefined {
  try {
    return watched.ready()?.catch(() => undefined);
  } catch {
    // The route itself refuses its requests.
    return undefined;
  }
}

import type { IncomingMessage } from "node:http";
import { isDynamicRoute } from "../config/dynamic-routes.ts";
import type { RouteConfig } from "../config/sections.ts";
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
import { serviceOf } from "./find-services.ts";
import { defineRoute } from "./index-routes.ts";
import { anySpelling, readService, routeOfUnlisted, withoutRouteKeys } from "./unlisted-service.ts";

/** What is found for a request that no route takes: a service, a moment to ask again, that nobody can tell, or nothing. */
export type FoundUnlisted = MatchedRequest<CompiledRoute> | Promise<void> | "unavailable" | undefined;

/** Finds services that no configuration names, by the first segment of the path. */
export type UnlistedRoutes = Readonly<{
  find: (req: IncomingMessage) => FoundUnlisted;
  /** The routes of those that clients have asked for, and that were there. */
  compiled: () => ReadonlyMap<WatchedService, CompiledRoute>;
}>;

/** Who is asked for such services, and what their routes are compiled with. */
export type UnlistedSources = Readonly<{
  provider: Provider;
  services: UnlistedServices;
  surroundings: RouteSurroundings;
  routes: readonly RouteConfig[];
  /** Those of the configuration before, and whether what holds for all routes is the same. */
  before: Readonly<{ compiled: ReadonlyMap<WatchedService, CompiledRoute>; isSame: boolean }>;
}>;

type Known = Readonly<{ compiled: CompiledRoute; index: RouteIndex<CompiledRoute> }>;

/** Makes the routes of services that clients name: each is compiled as the first request for it comes. */
export function* createUnlistedRoutes(sources: UnlistedSources): Steps<UnlistedRoutes> {
  const { provider, services, surroundings, before } = sources;
  const listed = listedServices(sources);
  const compile = createCompile(provider, surroundings);
  const known = new Map<WatchedService, Known>();
  // What does not fit together is found out now, and not by the first client.
  compile({ name: "any" }, fixedSource([]));
  for (const [watched, compiled] of before.compiled) {
    yield;
    if (watched.provider !== provider || isListed(watched.service)) continue;
    known.set(watched, compile(watched.service, watched, { compiled, isSame: before.isSame }));
  }
  return { find, compiled: () => new Map([...known].map(([watched, { compiled }]) => [watched, compiled])) };

  function find(req: IncomingMessage): FoundUnlisted {
    const service = readService(req.url ?? "", surroundings.global);
    if (service === undefined || isListed(service)) return undefined;
    const watched = services.find(provider, service);
    if (typeof watched === "string") return watched === "unknown" ? undefined : watched;
    const waiting = askedFirst(watched);
    if (waiting !== undefined) return waiting;
    return watched.hasInstances() === false ? undefined : matchRequest(indexOf(watched), req);
  }

  /** By a spelling that is not its template's nobody gets past what is written for a service. */
  function isListed(service: Service): boolean {
    return listed.has(provider.identify(service));
  }

  function indexOf(watched: WatchedService): RouteIndex<CompiledRoute> {
    const found = known.get(watched) ?? compile(watched.service, watched);
    if (!known.has(watched)) {
      for (const other of known.keys()) if (other.hasEnded()) known.delete(other);
      known.set(watched, found);
    }
    return found.index;
  }
}

function listedServices({ provider, routes, surroundings }: UnlistedSources): ReadonlySet<string> {
  const { global, services } = surroundings;
  const dynamic = routes.filter((route) => isDynamicRoute(route) && services.providerOf(route) === provider);
  return new Set(dynamic.map((route) => provider.identify(serviceOf(route, global))));
}

type Compile = (service: Service, source: HostSource, earlier?: EarlierCompiled) => Known;

function createCompile(provider: Provider, surroundings: RouteSurroundings): Compile {
  const global = withoutRouteKeys(surroundings.global);
  return function compileService({ name, namespace }, source, earlier) {
    const route = routeOfUnlisted({ name, namespace });
    const services = { find: () => source, providerOf: () => provider };
    const given = { ...surroundings, global, services, earlierAt: () => earlier };
    const compiled = runAtOnce(compileRoutes([route], given))[0]!;
    return { compiled, index: createRouteIndex([defineRoute(compiled, anySpelling, route)]) };
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

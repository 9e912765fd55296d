import type { IncomingMessage } from "node:http";
import { toDynamicRoute } from "../config/dynamic-routes.ts";
import { markUnlisted } from "../discovery/unlisted-marks.ts";
import type { GlobalConfig } from "../config/sections.ts";
import type { UnlistedServices } from "../discovery/unlisted-services.ts";
import type { Provider } from "../discovery/provider.ts";
import { isAskable, type Service } from "../discovery/service.ts";
import type { WatchedService } from "../discovery/watched-service.ts";
import { createRouteIndex, type RouteIndex } from "../routing/index/route-index.ts";
import { type MatchedRequest, matchRequest } from "../routing/match-request.ts";
import { runAtOnce } from "../time-slices.ts";
import { plainScheme } from "../urls/schemes.ts";
import { type CompiledRoute, compileRoutes, type RouteSurroundings } from "./compile-routes.ts";
import { defineRoute } from "./index-routes.ts";

/** What is found for a request that no route takes: a service, a moment to ask again, no room, or nothing. */
export type FoundUnlisted = MatchedRequest<CompiledRoute> | Promise<void> | "too-many" | undefined;

/** Finds services that no configuration names, by the first segment of the path. */
export type UnlistedRoutes = Readonly<{ find: (req: IncomingMessage) => FoundUnlisted }>;

/** Who is asked for such services, and what their routes are compiled with. */
export type UnlistedSources = Readonly<{
  provider: Provider;
  services: UnlistedServices;
  surroundings: RouteSurroundings;
}>;

/** Makes the routes of services that clients name: each is compiled as the first request for it comes. */
export function createUnlistedRoutes({ provider, services, surroundings }: UnlistedSources): UnlistedRoutes {
  const global = withoutRouteKeys(surroundings.global);
  const compiled = new WeakMap<WatchedService, RouteIndex<CompiledRoute>>();
  return { find };

  function find(req: IncomingMessage): FoundUnlisted {
    const service = readService(req.url ?? "");
    if (service === undefined) return undefined;
    const watched = services.find(provider, service);
    if (typeof watched === "string") return watched === "unknown" ? undefined : watched;
    const waiting = askedFirst(watched);
    if (waiting !== undefined) return waiting;
    if (watched.hasInstances() !== false) return matchRequest(indexOf(watched), req);
    // One that had instances is looked for until nobody asks for it any more.
    if (!compiled.has(watched)) services.forget(watched);
    return undefined;
  }

  function indexOf(watched: WatchedService): RouteIndex<CompiledRoute> {
    const known = compiled.get(watched);
    if (known !== undefined) return known;
    const index = createRouteIndex([compileService(watched)]);
    compiled.set(watched, index);
    return index;
  }

  function compileService(watched: WatchedService): ReturnType<typeof defineRoute<CompiledRoute>> {
    const { name, namespace } = watched.service;
    const route = toDynamicRoute({ ServiceName: name, ServiceNamespace: namespace });
    markUnlisted(route);
    const own = { find: () => watched, providerOf: () => provider };
    const [value] = runAtOnce(
      compileRoutes([route], { ...surroundings, global, services: own, earlierAt: () => undefined }),
    );
    return defineRoute(value!, value!.template, route);
  }

  /** The service of the first segment: what stands before its first dot is the namespace. */
  function readService(url: string): Service | undefined {
    const first = /^\/([^/?]*)/.exec(url)?.[1] ?? "";
    if (!isAskable(first)) return undefined;
    const dot = first.indexOf(".");
    const namespace = dot === -1 ? undefined : first.slice(0, dot);
    return { name: first.slice(dot + 1), namespace, scheme: plainScheme(global.DownstreamScheme) };
  }
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

/** A service that no configuration names gets every global section, whichever routes it is for. */
function withoutRouteKeys(global: GlobalConfig): GlobalConfig {
  const sections = Object.entries(global).map(([name, value]: [string, unknown]) => {
    const isLimited = typeof value === "object" && value !== null && "RouteKeys" in value;
    return [name, isLimited ? { ...value, RouteKeys: undefined } : value] as const;
  });
  return Object.fromEntries(sections);
}

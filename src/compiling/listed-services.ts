import { guardsSomething, isDynamicRoute } from "../config/dynamic-routes.ts";
import type { RouteConfig } from "../config/sections.ts";
import { createLeaveOut, type LeaveOut } from "../discovery/leave-out-instances-of-listed.ts";
import type { Provider } from "../discovery/provider.ts";
import type { Service } from "../discovery/service.ts";
import type { WatchedService } from "../discovery/watched-service.ts";
import type { ServiceRound } from "./find-services.ts";

/** The services that entries of `DynamicRoutes` name: under another name nobody gets past what is written there. */
export type ListedServices = Readonly<{
  /** Whether a service has the name of a listed one, or in DNS a name below it. */
  has: (provider: Provider, service: Service) => boolean;
  /** One that is guarded and of which it is not known at the moment where its instances are; undefined where there is none. */
  unknown: () => WatchedService | undefined;
  /** The instances of another service, without those of guarded ones. */
  without: LeaveOut;
}>;

/** Gathers the listed services; providers of one kind know a service by the same names, wherever they ask. */
export function gatherListed(routes: readonly RouteConfig[], find: ServiceRound["find"]): ListedServices {
  const dynamic = routes.filter(isDynamicRoute);
  const listed = watchesOf(dynamic, find);
  const guarded = watchesOf(dynamic.filter(guardsSomething), find);
  const names = new Set(listed.map(({ provider, service }) => nameIn(provider.kind, provider.namesOf(service)[0]!)));
  return {
    has: ({ kind, namesOf }, service) => namesOf(service).some((name) => names.has(nameIn(kind, name))),
    unknown: () => guarded.find((watched) => watched.hasInstances() === undefined),
    without: createLeaveOut(guarded),
  };
}

function watchesOf(routes: readonly RouteConfig[], find: ServiceRound["find"]): readonly WatchedService[] {
  return routes.map(find).filter((watched) => watched !== undefined);
}

function nameIn(kind: string, name: string): string {
  return `${kind} ${name}`;
}

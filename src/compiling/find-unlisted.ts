import { isDeepStrictEqual } from "node:util";
import { allowsAnyService } from "../config/dynamic-routes.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { UnlistedServices } from "../discovery/unlisted-services.ts";
import type { Steps } from "../time-slices.ts";
import type { RouteSurroundings } from "./compile-routes.ts";
import { createUnlistedRoutes, type UnlistedRoutes } from "./unlisted-routes.ts";

/** What the routes of services that clients name are made with, and what there was before. */
export type UnlistedSurroundings = Readonly<{
  surroundings: RouteSurroundings;
  services: UnlistedServices;
  before: Readonly<{ config: GatewayConfig; unlisted: UnlistedRoutes | undefined }> | undefined;
}>;

/** The routes of services that clients name, where a configuration lets them; those that were known before stay known. */
export function* findUnlisted(
  { routes }: GatewayConfig,
  { surroundings, services, before }: UnlistedSurroundings,
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
  return yield* createUnlistedRoutes({ provider, services, surroundings: kept, routes, before: earlier });
}

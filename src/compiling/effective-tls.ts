import type { TlsConfig } from "../schema/tls-section.ts";
import type { ProviderConfig } from "../capabilities/service-discovery/provider-keys.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { goesToNamingService, providerOf } from "../discovery/provider-of.ts";

/**
 * The `Tls` that counts for a route's connections: its own, else the provider's where the route goes to the naming service, else
 * the global one.
 */
export function tlsOf(route: RouteConfig, global: GlobalConfig): TlsConfig | undefined {
  const ofProvider = goesToNamingService(route, global) ? providerOf(route, global)?.Tls : undefined;
  return route.Tls ?? ofProvider ?? global.Tls;
}

/** The providers of a configuration, by name. */
export function providersOf(global: GlobalConfig): readonly (readonly [name: string, provider: ProviderConfig])[] {
  const { ServiceDiscoveryProvider: usual, Providers = {} } = global;
  return [...(usual === undefined ? [] : [["ServiceDiscoveryProvider", usual] as const]), ...Object.entries(Providers)];
}

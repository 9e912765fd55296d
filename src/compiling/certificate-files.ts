import { fileOfScheme } from "../capabilities/authentication/schemes/jwt/renew-key-file-at-reload.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { TlsConfig } from "../schema/tls-section.ts";
import type { ProviderConfig } from "../capabilities/service-discovery/provider-keys.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { GatewayOptions } from "../options/options.ts";
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

/** The files that are read when a configuration is compiled: certificates, and keys of tokens, also of schemes in code. */
export function certificateFilesOf(
  config: GatewayConfig,
  { authentication = {} }: Pick<GatewayOptions, "authentication"> = {},
): ReadonlySet<string> {
  const files = new Set(Object.values(authentication).flatMap((scheme) => fileOfScheme(scheme) ?? []));
  const global = globalConfigOf(config) ?? {};
  for (const { KeyFile } of Object.values(global.AuthenticationSchemes ?? {})) {
    if (KeyFile !== undefined) files.add(KeyFile);
  }
  const ofProviders = providersOf(global).map(([, { Tls }]) => Tls);
  for (const tls of [...ofProviders, ...config.routes.map((route) => tlsOf(route, global))]) {
    const { Ca, Cert, Key } = tls ?? {};
    for (const file of [Ca, Cert, Key]) if (file !== undefined) files.add(file);
  }
  return files;
}

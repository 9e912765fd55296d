import { fileOfScheme } from "../capabilities/authentication/schemes/jwt/renewable.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { TlsConfig } from "../schema/tls-section.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { GatewayOptions } from "../options/options.ts";

/**
 * The `Tls` that counts for a route's connections: its own, else the provider's where the route goes to a service, else
 * the global one.
 */
export function tlsOf({ Tls, ServiceName }: RouteConfig, global: GlobalConfig): TlsConfig | undefined {
  return Tls ?? (ServiceName === undefined ? undefined : global.ServiceDiscoveryProvider?.Tls) ?? global.Tls;
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
  for (const route of config.routes) {
    const { Ca, Cert, Key } = tlsOf(route, global) ?? {};
    for (const file of [Ca, Cert, Key]) if (file !== undefined) files.add(file);
  }
  return files;
}

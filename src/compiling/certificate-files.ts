import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { TlsConfig } from "../schema/tls-section.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";

/**
 * The `Tls` that counts for a route's connections: its own, else the provider's where the route goes to a service, else
 * the global one.
 */
export function tlsOf({ Tls, ServiceName }: RouteConfig, global: GlobalConfig): TlsConfig | undefined {
  return Tls ?? (ServiceName === undefined ? undefined : global.ServiceDiscoveryProvider?.Tls) ?? global.Tls;
}

/** The files that are read when a configuration is compiled: certificates, and keys of tokens. */
export function certificateFilesOf(config: GatewayConfig): ReadonlySet<string> {
  const files = new Set<string>();
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

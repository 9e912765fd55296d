import { fileOfScheme } from "../capabilities/authentication/schemes/jwt/renew-key-file-at-reload.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { GatewayOptions } from "../options/options.ts";
import { providersOf, tlsOf } from "./effective-tls.ts";

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

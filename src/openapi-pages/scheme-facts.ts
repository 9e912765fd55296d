import { placesOf } from "../capabilities/authentication/schemes/places-of-scheme.ts";
import type { GlobalConfig } from "../config/sections.ts";
import type { SchemeFacts } from "../openapi/narrowing/gateway-security.ts";
import type { GatewayOptions } from "../options/options.ts";

/** Prepares to tell what is known of schemes; those of the option go before those of the file, as where they are asked. */
export function createFactsOf(
  { AuthenticationSchemes: configured = {} }: Pick<GlobalConfig, "AuthenticationSchemes">,
  { authentication = {} }: Pick<GatewayOptions, "authentication">,
): (scheme: string) => SchemeFacts {
  return function factsOf(name) {
    if (Object.hasOwn(authentication, name)) {
      const { reads = { headers: ["Authorization"] }, challenge } = authentication[name]!;
      return { reads, challenge: typeof challenge === "string" ? challenge : undefined };
    }
    const config = Object.hasOwn(configured, name) ? configured[name] : undefined;
    return { reads: config === undefined ? {} : placesOf(config), challenge: undefined };
  };
}

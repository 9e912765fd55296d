import { isDeepStrictEqual } from "node:util";
import type { GlobalConfig } from "../../config/sections.ts";
import type { SchemeConfig } from "./scheme-keys.ts";
import type { Authenticator } from "./authenticator.ts";
import type { KeyChanges, TellKeys } from "./scheme-key-changes.ts";
import { createApiKeyScheme } from "./schemes/api-key.ts";
import { createIntrospectionScheme } from "./schemes/introspection/introspection.ts";
import { createConfiguredJwt } from "./schemes/jwt/configured-jwt.ts";
import { prepareRenewal, type Renewal } from "./schemes/jwt/renew-key-file-at-reload.ts";

const creators: Readonly<Record<SchemeConfig["Type"], (config: SchemeConfig, tell: TellKeys) => Authenticator>> = {
  Jwt: createConfiguredJwt,
  Introspection: (config) => createIntrospectionScheme(config),
  ApiKey: ({ Keys = [], Header }) => createApiKeyScheme(Keys, Header),
};

/** The schemes of a configuration by name, and what it says of them. */
export type SchemesByName = Readonly<{
  configured: GlobalConfig["AuthenticationSchemes"];
  byName: Readonly<Record<string, Authenticator>>;
  /** Put into force what files hold by now, of the schemes that stay. */
  renewals: readonly Renewal[];
}>;

/**
 * Makes the schemes of a configuration; those that the user has passed in code go before them. A scheme that stays as it
 * is goes on with what it knows, whatever becomes of the others: its issuer may be away.
 */
export function createSchemes(
  { AuthenticationSchemes: configured = {} }: Pick<GlobalConfig, "AuthenticationSchemes">,
  given: Readonly<Record<string, Authenticator>> = {},
  { earlier, keys }: Readonly<{ earlier: SchemesByName | undefined; keys: Pick<KeyChanges, "make"> }>,
): SchemesByName {
  const made = Object.entries(configured)
    .filter(([name]) => !Object.hasOwn(given, name))
    .map(([name, config]) => [name, take(name, config) ?? make(name, config)] as const);
  const byName = { ...Object.fromEntries(made), ...given };
  const known = new Set(Object.values(earlier?.byName ?? {}));
  const renewals = Object.values(byName).flatMap((scheme) => (known.has(scheme) ? (prepareRenewal(scheme) ?? []) : []));
  return { configured, byName, renewals };

  function make(name: string, config: SchemeConfig): Authenticator {
    return keys.make(name, (tell) => creators[config.Type](config, tell));
  }

  function take(name: string, config: SchemeConfig): Authenticator | undefined {
    return isDeepStrictEqual(earlier?.configured?.[name], config) ? earlier?.byName[name] : undefined;
  }
}

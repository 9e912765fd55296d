import type { GlobalConfig } from "../../config/sections.ts";
import type { SchemeConfig } from "./scheme-keys.ts";
import type { Authenticator } from "./authenticator.ts";
import { createApiKeyScheme } from "./schemes/api-key.ts";
import { createIntrospectionScheme } from "./schemes/introspection/introspection.ts";
import { createConfiguredJwt } from "./schemes/jwt/configured-jwt.ts";

const creators: Readonly<Record<SchemeConfig["Type"], (config: SchemeConfig) => Authenticator>> = {
  Jwt: createConfiguredJwt,
  Introspection: createIntrospectionScheme,
  ApiKey: ({ Keys = [], Header }) => createApiKeyScheme(Keys, Header),
};

/** Makes the schemes of a configuration; those that the user has passed in code go before them. */
export function createSchemes(
  { AuthenticationSchemes: configured = {} }: Pick<GlobalConfig, "AuthenticationSchemes">,
  given: Readonly<Record<string, Authenticator>> = {},
): Readonly<Record<string, Authenticator>> {
  const made = Object.entries(configured)
    .filter(([name]) => !Object.hasOwn(given, name))
    .map(([name, config]) => [name, creators[config.Type](config)] as const);
  return { ...Object.fromEntries(made), ...given };
}

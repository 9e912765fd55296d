import { isSwitchedOff, type SchemeConfig } from "../../authentication-keys.ts";
import type { Authenticator } from "../../authenticator.ts";
import { createJwtScheme } from "./jwt.ts";
import { createSchemeKeys } from "./jwt-keys.ts";
import { loadJose } from "./load-jose.ts";

const defaultTolerance = 60;
const defaultKeysMaxAge = 86_400;
const defaultTypes = ["at+jwt", "JWT", "none"];

/** Makes a scheme of tokens as the configuration describes it. */
export function createConfiguredJwt(config: SchemeConfig): Authenticator {
  const jose = loadJose();
  const issuer = isSwitchedOff(config.Issuer) ? undefined : config.Issuer;
  const audiences = config.Audience?.some(isSwitchedOff) ? undefined : config.Audience;
  const origin = { issuer, jwksUri: config.JwksUri, keyFile: config.KeyFile, secret: config.Secret };
  const { keys, algorithms } = createSchemeKeys(jose, origin, (config.KeysMaxAge ?? defaultKeysMaxAge) * 1_000);
  const rules = {
    issuer,
    audiences,
    algorithms: config.Algorithms?.filter((algorithm) => algorithms.includes(algorithm)) ?? algorithms,
    types: (config.Types ?? defaultTypes).map((type) => type.toLowerCase()),
    requiredClaims: requiredClaimsOf(config.RequiredClaims),
  };
  const clockTolerance = config.ClockTolerance ?? defaultTolerance;
  return createJwtScheme(jose, { rules, keys, clockTolerance, forwards: config.Forward ?? true });
}

function requiredClaimsOf(written: unknown): Readonly<Record<string, readonly unknown[]>> {
  const claims = (written ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, [value].flat()]));
}

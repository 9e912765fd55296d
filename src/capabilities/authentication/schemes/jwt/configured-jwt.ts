import { GatewayError } from "../../../../errors.ts";
import type { SchemeConfig } from "../../scheme-keys.ts";
import type { Authenticator } from "../../authenticator.ts";
import type { TellKeys } from "../../scheme-key-changes.ts";
import { claimRulesOf } from "../tokens/judge-claims.ts";
import { carriageOf } from "../tokens/carriage.ts";
import { createJwtScheme, type JwtSettings } from "./jwt.ts";
import { createSchemeKeys } from "./jwt-keys.ts";
import { type Jose, loadJose } from "./load-jose.ts";
import { createRenewable } from "./renew-key-file-at-reload.ts";

const defaultTolerance = 60;
const defaultKeysMaxAge = 86_400;
const defaultTypes = ["at+jwt", "JWT", "none"];

/** Makes a scheme of tokens as the configuration describes it; a file may hold other keys at the next reload. */
export function createConfiguredJwt(config: SchemeConfig, tell?: TellKeys): Authenticator {
  const jose = loadJose();
  const make = (): Authenticator => createJwtScheme(jose, readJwtSettings(jose, config, tell));
  return config.KeyFile === undefined ? make() : createRenewable(config.KeyFile, make);
}

/** What a scheme of the configuration comes to; nothing is fetched. */
export function readJwtSettings(jose: Jose, config: SchemeConfig, tell?: TellKeys): JwtSettings {
  const claimRules = claimRulesOf(config);
  const origin = { issuer: claimRules.issuer, jwksUri: config.JwksUri, keyFile: config.KeyFile, secret: config.Secret };
  const maxAge = (config.KeysMaxAge ?? defaultKeysMaxAge) * 1_000;
  const { keys, algorithms } = createSchemeKeys(jose, origin, { maxAge, tell });
  const rules = {
    ...claimRules,
    algorithms: chooseAlgorithms(config, algorithms),
    types: (config.Types ?? defaultTypes).map((type) => type.toLowerCase()),
  };
  const clockTolerance = config.ClockTolerance ?? defaultTolerance;
  return { rules, keys, clockTolerance, ...carriageOf(config, clockTolerance) };
}

/** Those of the configuration that fit the keys; without any, every token would be refused, and nobody would know why. */
function chooseAlgorithms(
  { Algorithms: wanted, KeyFile }: SchemeConfig,
  fitting: readonly string[],
): readonly string[] {
  const chosen = wanted?.filter((algorithm) => fitting.includes(algorithm)) ?? fitting;
  if (chosen.length > 0) return chosen;
  const found = `the "Algorithms" are ${JSON.stringify(wanted)}, but the keys in the "KeyFile" ${JSON.stringify(KeyFile)} are for ${JSON.stringify(fitting)}`;
  throw new GatewayError(
    "option-invalid",
    `No token could be good: ${found}. Name one of these, or leave "Algorithms" out.`,
  );
}

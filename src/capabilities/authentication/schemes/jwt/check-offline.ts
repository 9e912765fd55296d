import type { SchemeConfig } from "../../scheme-keys.ts";
import { hasRequiredClaim, isCurrent, isForAudience, timeOf, type Validity } from "../tokens/judge-claims.ts";
import { mostCharacters } from "../tokens/token-scheme.ts";
import { readJwtSettings } from "./configured-jwt.ts";
import { earlyChecks, readToken, type ReadToken } from "./judge-token.ts";
import type { JwtSettings } from "./jwt.ts";
import { type Jose, loadJose } from "./load-jose.ts";

/** One thing that a token must fulfil; undefined where only a server could tell whether it does. */
export type OfflineCheck = Readonly<{ what: string; expected: string; holds: boolean | undefined }>;

/** Compares a token with what a scheme asks for, without asking anybody: keys that are elsewhere are not fetched. */
export async function checkOffline(config: SchemeConfig, token: string): Promise<readonly OfflineCheck[]> {
  const jose = loadJose();
  const settings = readJwtSettings(jose, config);
  const read = token.length > mostCharacters ? undefined : readToken(token);
  if (read === undefined) {
    return [{ what: "form", expected: `a signed token (JWT) of at most ${mostCharacters} characters`, holds: false }];
  }
  const { rules } = settings;
  return [
    ...earlyChecks.map(({ what, expected, holds }) => ({
      what,
      expected: expected(rules),
      holds: holds(read, rules),
    })),
    ...checkTimes(read, settings),
    ...checkClaims(read, settings),
    await checkSignature(jose, token, { config, settings }),
  ];
}

function checkTimes({ payload: { exp, nbf = 0 } }: ReadToken, { clockTolerance }: JwtSettings): OfflineCheck[] {
  const [begin, end] = [timeOf(nbf), timeOf(exp)];
  const isWithin = (validity: Validity): boolean => isCurrent(validity, clockTolerance);
  return [
    {
      what: "time",
      expected: "it has begun",
      holds: begin !== undefined && isWithin({ notBefore: begin, expires: Infinity }),
    },
    {
      what: "time",
      expected: "it has not ended",
      holds: end !== undefined && isWithin({ notBefore: -Infinity, expires: end }),
    },
  ];
}

function checkClaims({ payload }: ReadToken, { rules }: JwtSettings): OfflineCheck[] {
  const { audiences, requiredClaims } = rules;
  const wanted = audiences?.map((audience) => JSON.stringify(audience)).join(" or ");
  const required = Object.keys(requiredClaims).map((name) => ({
    what: `claim ${name}`,
    expected: "a value of RequiredClaims",
    holds: hasRequiredClaim(payload, name, rules),
  }));
  return [{ what: "audience", expected: wanted ?? "any", holds: isForAudience(payload, rules) }, ...required];
}

type Verifying = Readonly<{ config: SchemeConfig; settings: JwtSettings }>;

async function checkSignature(
  { jwtVerify }: Jose,
  token: string,
  { config, settings: { rules, keys } }: Verifying,
): Promise<OfflineCheck> {
  if (config.KeyFile === undefined && config.Secret === undefined) {
    return { what: "signature", expected: "not checked, as the keys are the issuer's", holds: undefined };
  }
  const holds = await jwtVerify(token, keys.find, { algorithms: [...rules.algorithms] }).then(() => true, isLaterFault);
  return { what: "signature", expected: "made with a key of the scheme", holds };
}

/** jose compares claims behind the signature: what it finds there says that the signature was good. */
function isLaterFault(error: unknown): boolean {
  const { code } = error as Readonly<{ code?: unknown }>;
  return code === "ERR_JWT_EXPIRED" || code === "ERR_JWT_CLAIM_VALIDATION_FAILED";
}

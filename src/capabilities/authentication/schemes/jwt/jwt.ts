import type { JWTPayload } from "jose";
import type { Identity } from "../../../../identity/identity.ts";
import { parseAllDigits } from "../../../../json/parse-all-digits.ts";
import type { Authenticator } from "../../authenticator.ts";
import { hasRequiredClaims, isCurrent, type Validity } from "../tokens/judge-claims.ts";
import { createRemembered } from "../tokens/remembered.ts";
import { createTokenScheme, identityOf, type TokenCarriage, type TokenClaims } from "../tokens/token-scheme.ts";
import { isWorthVerifying, type TokenRules } from "./judge-token.ts";
import type { KeySet } from "./key-set.ts";
import type { Jose } from "./load-jose.ts";

/** What a scheme of signed tokens is made of. */
export type JwtSettings = TokenCarriage &
  Readonly<{
    rules: TokenRules;
    keys: KeySet;
    /** Seconds. */
    clockTolerance: number;
  }>;

type Verified = Validity & Readonly<{ identity: Identity }>;

/** Recognises clients by a signed token. */
export function createJwtScheme(
  { jwtVerify }: Jose,
  { rules, keys, clockTolerance, ...carriage }: JwtSettings,
): Authenticator {
  const remembered = createRemembered<Verified>();
  let keysVersion = keys.version();
  return createTokenScheme(judgeSigned, carriage);

  function judgeSigned(token: string): ReturnType<Authenticator> {
    const known = recall(token);
    if (known !== undefined) return isCurrent(known, clockTolerance) ? known.identity : undefined;
    return isWorthVerifying(token, rules) ? verify(token) : undefined;
  }

  function recall(token: string): Verified | undefined {
    if (keysVersion !== keys.version()) {
      keysVersion = keys.version();
      remembered.forgetAll();
    }
    return remembered.find(token);
  }

  async function verify(token: string): Promise<Identity | undefined> {
    const payload = await verifiedPayload(token);
    if (payload === undefined || !hasRequiredClaims(payload, rules)) return undefined;
    const verified = {
      identity: identityOf(claimsOf(token), token),
      notBefore: payload.nbf ?? 0,
      expires: payload.exp!,
    };
    if (!isCurrent(verified, clockTolerance)) return undefined;
    // Keys that changed while the signature was computed may have lost this one.
    if (recall(token) === undefined) remembered.keep(token, verified, { size: token.length });
    return verified.identity;
  }

  async function verifiedPayload(token: string): Promise<JWTPayload | undefined> {
    try {
      const { payload } = await jwtVerify(token, keys.find, {
        algorithms: [...rules.algorithms],
        clockTolerance,
        requiredClaims: ["exp"],
        ...(rules.issuer === undefined ? {} : { issuer: rules.issuer }),
        ...(rules.audiences === undefined ? {} : { audience: [...rules.audiences] }),
      });
      return payload;
    } catch (error) {
      if (isFaultOfToken(error)) return undefined;
      throw error;
    }
  }
}

/** What jose returns has lost digits of long integers. */
function claimsOf(token: string): TokenClaims {
  return parseAllDigits(Buffer.from(token.split(".")[1]!, "base64url").toString()) as TokenClaims;
}

/** Errors of jose have such codes; any other says that the keys could not be had. */
function isFaultOfToken(error: unknown): boolean {
  const { code } = error as Readonly<{ code?: unknown }>;
  return typeof code === "string" && /^ERR_(J|OKP)/.test(code);
}

import type { Identity } from "../../../../identity/identity.ts";
import type { Authenticator } from "../../authenticator.ts";
import { hasRequiredClaims, isCurrent, type Validity } from "../tokens/judge-claims.ts";
import { createRemembered } from "../tokens/remembered.ts";
import { createTokenScheme, identityOf, type TokenCarriage } from "../tokens/token-scheme.ts";
import { isWorthVerifying, readToken, type TokenRules } from "./judge-token.ts";
import type { KeySet } from "./key-set.ts";
import type { Jose } from "./load-jose.ts";
import { createVerifySignature } from "./verify-signature.ts";

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
export function createJwtScheme(jose: Jose, { rules, keys, clockTolerance, ...carriage }: JwtSettings): Authenticator {
  const remembered = createRemembered<Verified>();
  const verifySignature = createVerifySignature(jose, rules, clockTolerance);
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
    let version = keys.version();
    const payload = await verifySignature(token, async function findNow(header, jws) {
      let key;
      do {
        version = keys.version();
        key = await keys.find(header, jws);
      } while (version !== keys.version());
      return key;
    });
    if (payload === undefined) return undefined;
    // What jose returns has lost digits of long integers.
    const claims = readToken(token)!.payload;
    if (!hasRequiredClaims(claims, rules)) return undefined;
    // The key may have gone while the signature was computed.
    if (version !== keys.version()) return verify(token);
    const verified = {
      identity: identityOf(claims, token),
      notBefore: payload.nbf ?? 0,
      expires: payload.exp!,
    };
    if (!isCurrent(verified, clockTolerance)) return undefined;
    if (recall(token) === undefined) remembered.keep(token, verified, { size: token.length });
    return verified.identity;
  }
}

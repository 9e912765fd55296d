import type { Identity } from "../../../../identity/identity.ts";
import type { Authenticator } from "../../authenticator.ts";
import { hasRequiredClaims, isCurrent, timeOf, type Validity } from "../tokens/judge-claims.ts";
import { bytesOfClaims } from "../tokens/bytes-of-claims.ts";
import { createRemembered } from "../tokens/remembered-tokens.ts";
import { createTokenScheme, type TokenCarriage } from "../tokens/token-scheme.ts";
import {
  createReadHeader,
  isSound,
  isWorthVerifying,
  type ReadToken,
  readToken,
  type TokenRules,
} from "./judge-token.ts";
import type { KeySet } from "./kept-keys.ts";
import type { Jose } from "./load-jose.ts";
import { createVerifySignature } from "./verify-signature.ts";
import { identityOf } from "../tokens/identity-of-token.ts";

/** What a scheme of signed tokens is made of. */
export type JwtSettings = TokenCarriage &
  Readonly<{
    rules: TokenRules;
    keys: KeySet;
    /** Seconds. */
    clockTolerance: number;
  }>;

// What does not look like this, jose refuses, and says why.
const compact = /^([\w-]+\.[\w-]+)\.([\w-]+)$/;

type Verified = Validity & Readonly<{ identity: Identity }>;

/** Recognises clients by a signed token. */
export function createJwtScheme(jose: Jose, { rules, keys, clockTolerance, ...carriage }: JwtSettings): Authenticator {
  const remembered = createRemembered<Verified>();
  const verifySignature = createVerifySignature(jose, rules, clockTolerance);
  const readHeader = createReadHeader();
  let keysVersion = keys.version();
  return createTokenScheme({ recall, judge: judgeSigned }, carriage);

  function judgeSigned(token: string, known: Verified | undefined): ReturnType<Authenticator> {
    if (known !== undefined) return isCurrent(known, clockTolerance) ? known.identity : undefined;
    const read = readToken(token, readHeader);
    if (read === undefined || !isWorthVerifying(read, rules)) return undefined;
    const isGood = isSignedWithKnown(token, read, keys);
    if (isGood === undefined) return verify(token, read);
    return isGood && isSound(read, rules) ? accept(token, read) : undefined;
  }

  function recall(token: string): Verified | undefined {
    if (keysVersion !== keys.version()) {
      keysVersion = keys.version();
      remembered.forgetAll();
    }
    return remembered.find(token);
  }

  async function verify(token: string, read: ReadToken): Promise<Identity | undefined> {
    let version = keys.version();
    const isGood = await verifySignature(token, async function findNow(header, jws) {
      let key;
      do {
        version = keys.version();
        key = await keys.find(header, jws);
      } while (version !== keys.version());
      return key;
    });
    if (!isGood) return undefined;
    // The key may have gone while the signature was computed.
    if (version !== keys.version()) return verify(token, read);
    // Another request may have shown it meanwhile.
    return recall(token)?.identity ?? accept(token, read);
  }

  /** Whom a token stands for whose signature is good. */
  function accept(token: string, { payload }: ReadToken): Identity | undefined {
    if (!hasRequiredClaims(payload, rules)) return undefined;
    const { nbf = 0, exp } = payload;
    const validity = { notBefore: timeOf(nbf)!, expires: timeOf(exp)! };
    if (!isCurrent(validity, clockTolerance)) return undefined;
    const identity = identityOf(payload, token);
    remembered.keep(token, { ...validity, identity }, { bytes: bytesOfClaims(payload) + token.length });
    return identity;
  }
}

/** Undefined where the key has to be looked for, or the check takes too long to be waited for. */
function isSignedWithKnown(token: string, { header }: ReadToken, keys: KeySet): boolean | undefined {
  const [, signed, signature] = compact.exec(token) ?? [];
  if (signed === undefined || signature === undefined) return undefined;
  return keys.checkNow(header)?.(signed, Buffer.from(signature, "base64url"));
}

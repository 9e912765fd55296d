import type { CryptoKey } from "jose";
import type { TokenRules } from "./judge-token.ts";
import type { FindKey } from "./find-key.ts";
import type { Jose } from "./load-jose.ts";

/** Whether a token is good. Rejects where no key could be had. */
type VerifySignature = (token: string, find: FindKey) => Promise<boolean>;

// Whoever asks may send tokens that name no key, and each signature costs time.
const mostTried = 4;

/** Prepares the look at signatures, and at the claims that say for whom and until when a token is good. */
export function createVerifySignature(
  { jwtVerify }: Jose,
  { algorithms, issuer, audiences }: TokenRules,
  clockTolerance: number,
): VerifySignature {
  const options = {
    algorithms: [...algorithms],
    clockTolerance,
    requiredClaims: ["exp"],
    ...(issuer === undefined ? {} : { issuer }),
    ...(audiences === undefined ? {} : { audience: [...audiences] }),
  };
  return verifySignature;

  async function verifySignature(token: string, find: FindKey): Promise<boolean> {
    try {
      await jwtVerify(token, find, options);
      return true;
    } catch (error) {
      if (isChoice(error)) return verifyByOneOf(token, error);
      if (isFaultOfToken(error)) return false;
      throw error;
    }
  }

  /** A token need not name its key. */
  async function verifyByOneOf(token: string, choice: AsyncIterable<CryptoKey>): Promise<boolean> {
    let tried = 0;
    for await (const key of choice) {
      const isGood = await verifySignature(token, () => key);
      tried += 1;
      if (isGood || tried === mostTried) return isGood;
    }
    return false;
  }
}

function isChoice(error: unknown): error is AsyncIterable<CryptoKey> {
  return codeOf(error) === "ERR_JWKS_MULTIPLE_MATCHING_KEYS";
}

/** Errors of jose have such codes; any other says that the keys could not be had. */
function isFaultOfToken(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === "string" && /^ERR_(J|OKP)/.test(code);
}

function codeOf(error: unknown): unknown {
  return (error as Readonly<{ code?: unknown }>).code;
}

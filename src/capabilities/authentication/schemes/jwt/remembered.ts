import { createHash } from "node:crypto";
import type { Identity } from "../../../../identity/identity.ts";

/** An identity that a token stands for, and from when until when; seconds, as tokens tell them. */
export type Verified = Readonly<{ identity: Identity; notBefore: number; expires: number }>;

/** Tokens that were verified a moment ago, by their digest. */
export type RememberedTokens = Readonly<{
  find: (token: string) => Verified | undefined;
  keep: (token: string, verified: Verified) => void;
  forgetAll: () => void;
}>;

const longestMilliseconds = 60_000;
const mostTokens = 10_000;

/** Makes an empty memory of tokens; the oldest leave when it is full. */
export function createRememberedTokens(): RememberedTokens {
  const byDigest = new Map<string, Readonly<{ verified: Verified; until: number }>>();
  return {
    find(token) {
      const digest = digestOf(token);
      const found = byDigest.get(digest);
      if (found === undefined || found.until > Date.now()) return found?.verified;
      byDigest.delete(digest);
      return undefined;
    },
    keep(token, verified) {
      const [oldest] = byDigest.size < mostTokens ? [] : byDigest.keys();
      if (oldest !== undefined) byDigest.delete(oldest);
      byDigest.set(digestOf(token), { verified, until: Date.now() + longestMilliseconds });
    },
    forgetAll: () => byDigest.clear(),
  };
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}

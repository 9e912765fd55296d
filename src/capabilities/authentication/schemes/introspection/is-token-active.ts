import { isWithinDepth } from "../../../../json/is-within-depth.ts";
import { maximumDepth } from "../../../../json/json-node.ts";
import { type ClaimRules, hasRequiredClaims, isCurrent, isMeantForUs, timeOf } from "../tokens/judge-claims.ts";
import type { TokenClaims } from "../tokens/identity-of-token.ts";

// Clocks differ, and the server has just said that the token is active.
const clockTolerance = 60;

/** Whether what the authorisation server said of a token lets its bearer in. */
export function isActive(answer: TokenClaims, rules: ClaimRules): boolean {
  // A text "true" would be a server that says something else than this one means.
  if (answer.active !== true || "cnf" in answer || !isWithinDepth(answer, maximumDepth)) return false;
  const { exp = Infinity, nbf = 0 } = answer;
  const [expires, notBefore] = [timeOf(exp), timeOf(nbf)];
  if (expires === undefined || notBefore === undefined) return false;
  return (
    isCurrent({ notBefore, expires }, clockTolerance) && isMeantForUs(answer, rules) && hasRequiredClaims(answer, rules)
  );
}

import type { ClaimRules } from "../tokens/judge-claims.ts";

/** What of a signed token is compared before and after its signature. */
export type TokenRules = ClaimRules &
  Readonly<{
    algorithms: readonly string[];
    /** In lower case; `none` stands for a token without a type. */
    types: readonly string[];
  }>;

/** Whether it is worth while to look at the signature of a token: of most that are none of ours it is not. */
export function isWorthVerifying(token: string, rules: TokenRules): boolean {
  const [header, payload] = token.split(".", 2).map(readPart);
  if (header === undefined || payload === undefined) return false;
  if ("crit" in header || "cnf" in payload) return false;
  if (typeof header.alg !== "string" || !rules.algorithms.includes(header.alg)) return false;
  if (!rules.types.includes(typeOf(header.typ))) return false;
  return typeof payload.exp === "number" && (rules.issuer === undefined || payload.iss === rules.issuer);
}

function typeOf(type: unknown): string {
  if (type === undefined) return "none";
  const named = typeof type === "string" ? type.toLowerCase().replace(/^application\//, "") : "";
  return named === "none" ? "" : named;
}

function readPart(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

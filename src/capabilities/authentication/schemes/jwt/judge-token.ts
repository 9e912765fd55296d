import type { JWTPayload } from "jose";

/** What of a token is compared before and after its signature. */
export type TokenRules = Readonly<{
  /** Undefined where any will do. */
  issuer: string | undefined;
  audiences: readonly string[] | undefined;
  algorithms: readonly string[];
  /** In lower case; `none` stands for a token without a type. */
  types: readonly string[];
  requiredClaims: Readonly<Record<string, readonly unknown[]>>;
}>;

const mostCharacters = 16_384;

/** Whether it is worth while to look at the signature of a token: of most that are none of ours it is not. */
export function isWorthVerifying(token: string, rules: TokenRules): boolean {
  if (token.length > mostCharacters) return false;
  const [header, payload] = token.split(".", 2).map(readPart);
  if (header === undefined || payload === undefined) return false;
  if ("crit" in header || "cnf" in payload) return false;
  if (typeof header.alg !== "string" || !rules.algorithms.includes(header.alg)) return false;
  if (!rules.types.includes(typeOf(header.typ))) return false;
  return typeof payload.exp === "number" && (rules.issuer === undefined || payload.iss === rules.issuer);
}

/** Whether the claims of a token whose signature is good are those that the scheme asks for. */
export function hasRequiredClaims(payload: JWTPayload, { requiredClaims }: TokenRules): boolean {
  return Object.entries(requiredClaims).every(([name, wanted]) => {
    const values = [Object.hasOwn(payload, name) ? payload[name] : undefined].flat();
    return values.some((value) => wanted.includes(value));
  });
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

import { isSwitchedOff, type SchemeConfig } from "../../scheme-keys.ts";
import type { TokenClaims } from "./identity-of-token.ts";

/** Whose tokens a scheme takes, for whom they must be meant, and what else they must say. */
export type ClaimRules = Readonly<{
  /** Undefined where any will do. */
  issuer: string | undefined;
  audiences: readonly string[] | undefined;
  requiredClaims: Readonly<Record<string, readonly unknown[]>>;
}>;

/** What a scheme of the configuration asks of claims. */
export function claimRulesOf({ Issuer, Audience, RequiredClaims }: SchemeConfig): ClaimRules {
  const required = (RequiredClaims ?? {}) as Readonly<Record<string, unknown>>;
  return {
    issuer: isSwitchedOff(Issuer) ? undefined : Issuer,
    audiences: Audience?.length === 1 && isSwitchedOff(Audience[0]) ? undefined : Audience,
    requiredClaims: Object.fromEntries(Object.entries(required).map(([name, value]) => [name, [value].flat()])),
  };
}

/** Whether claims have the values that the scheme asks for. */
export function hasRequiredClaims(claims: TokenClaims, rules: ClaimRules): boolean {
  return Object.keys(rules.requiredClaims).every((name) => hasRequiredClaim(claims, name, rules));
}

/** Whether one of the claims has a value that the scheme asks for. */
export function hasRequiredClaim(claims: TokenClaims, name: string, { requiredClaims }: ClaimRules): boolean {
  return holdsOne(claims, name, requiredClaims[name] ?? []);
}

/** Whether claims are those of an issuer's token for one of the audiences, as jose compares both in signed tokens. */
export function isMeantForUs(claims: TokenClaims, rules: ClaimRules): boolean {
  return isFromIssuer(claims, rules) && isForAudience(claims, rules);
}

/** Whether claims name the issuer. */
export function isFromIssuer({ iss }: TokenClaims, { issuer }: ClaimRules): boolean {
  return issuer === undefined || iss === issuer;
}

/** Whether claims name one of the audiences. */
export function isForAudience(claims: TokenClaims, { audiences }: ClaimRules): boolean {
  return audiences === undefined || holdsOne(claims, "aud", audiences);
}

function holdsOne(claims: TokenClaims, name: string, wanted: readonly unknown[]): boolean {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return Array.isArray(value) ? value.some((one) => wanted.includes(one)) : wanted.includes(value);
}

/** A time as claims tell it; one that is too far away for a number is rounded. Undefined for what is none. */
export function timeOf(claim: unknown): number | undefined {
  return typeof claim === "number" || typeof claim === "bigint" ? Number(claim) : undefined;
}

/** From when until when something holds; seconds, as tokens tell them. */
export type Validity = Readonly<{ notBefore: number; expires: number }>;

/** Whether something holds now, by clocks that differ by some seconds at most. */
export function isCurrent({ notBefore, expires }: Validity, clockTolerance: number): boolean {
  const now = Date.now() / 1_000;
  return now < expires + clockTolerance && now >= notBefore - clockTolerance;
}

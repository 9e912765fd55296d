import { namesOfClaim } from "./claim-names.ts";
import type { ClaimValue, Identity } from "./identity.ts";
import { withAllDigits } from "../with-all-digits.ts";

/** The values of a claim as texts, whether it stands there by its short name or by the long one of .NET. */
export function claimValues(claims: Identity["claims"], name: string): readonly string[] {
  return namesOfClaim(claims, name).flatMap((found) => textsOf(claims[found]));
}

/** An array is several claims; what is nothing in it is none. */
function textsOf(value: ClaimValue | undefined): readonly string[] {
  if (value === null) return [""];
  const values = Array.isArray(value) ? (value as readonly ClaimValue[]) : [value];
  return values.flatMap((item) => (item === undefined || item === null ? [] : [claimText(item)]));
}

/** The text of one value: integers with all their digits, objects as JSON. */
export function claimText(value: NonNullable<ClaimValue>): string {
  if (typeof value === "string" || typeof value === "bigint") return String(value);
  return JSON.stringify(value, withAllDigits);
}

import { longNameOf, shortNamesOf } from "./claim-names.ts";
import type { ClaimValue, Identity } from "./identity.ts";
import { withAllDigits } from "../with-all-digits.ts";

/**
 * The values of a claim as texts. A short name finds itself, else the long one of .NET; a long name finds itself, else
 * the short ones that .NET replaces by it.
 */
export function claimValues(claims: Identity["claims"], name: string): readonly string[] {
  return namesIn(claims, name).flatMap((found) => textsOf(claims[found]));
}

function namesIn(claims: Identity["claims"], name: string): readonly string[] {
  if (Object.hasOwn(claims, name)) return [name];
  const long = longNameOf(name);
  const others = long === undefined ? shortNamesOf(name) : [long];
  return others.length === 0 ? [] : Object.keys(claims).filter((own) => others.includes(own));
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

import { claimValues } from "./claim-values.ts";
import type { Identity } from "./identity.ts";

const scopeClaims = ["scope", "scp"];

/** Whether an identity has one of the scopes; a claim of one value may hold several, parted by blanks. */
export function hasScope({ claims }: Identity, scopes: readonly string[]): boolean {
  return scopeClaims.some((name) => {
    const values = claimValues(claims, name);
    const held = values.length === 1 ? values[0]!.split(" ") : values;
    return scopes.some((scope) => held.includes(scope));
  });
}

import type { ClaimValue, Identity } from "./identity.ts";

const scopeClaims = ["scope", "scp"];

/** Whether an identity has one of the scopes; a claim of one value may hold several, parted by blanks. */
export function hasScope({ claims }: Identity, scopes: readonly string[]): boolean {
  return scopeClaims.some((name) => {
    const values = textsOf(Object.hasOwn(claims, name) ? claims[name] : undefined);
    const held = values.length === 1 ? values[0]!.split(" ") : values;
    return scopes.some((scope) => held.includes(scope));
  });
}

/** The values of a claim as texts: an array is several. */
function textsOf(value: ClaimValue | undefined): readonly string[] {
  const values: readonly (ClaimValue | undefined)[] = Array.isArray(value) ? (value as readonly ClaimValue[]) : [value];
  return values.flatMap((item) => {
    if (item === undefined || item === null) return [];
    return [typeof item === "string" ? item : JSON.stringify(item)];
  });
}

// Measured with Node 24: what each takes besides its text, together with its place among others.
const bytesOfName = 96;
const bytesOfObject = 64;
const bytesOfOther = 32;

/**
 * How many bytes of memory claims take, about: an empty object among others has two characters, and takes thirty times as
 * much.
 */
export function bytesOfClaims(claims: unknown): number {
  if (typeof claims === "string") return bytesOfOther + claims.length;
  if (typeof claims === "bigint") return bytesOfOther + claims.toString(16).length;
  if (typeof claims !== "object" || claims === null) return bytesOfOther;
  if (Array.isArray(claims)) return claims.reduce<number>((sum, item) => sum + bytesOfClaims(item), bytesOfObject);
  return Object.entries(claims).reduce(
    (sum, [name, value]) => sum + bytesOfName + name.length + bytesOfClaims(value),
    bytesOfObject,
  );
}

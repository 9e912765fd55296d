import type { JWK } from "jose";

/** A key of RSA that is shorter is none. */
export const leastBits = 2_048;

/** An RSA key that could be computed from its public half, or that has none. */
export function isShort({ kty, n }: JWK): boolean {
  return kty === "RSA" && (typeof n !== "string" || bitsOf(Buffer.from(n, "base64url")) < leastBits);
}

function bitsOf(number: Buffer): number {
  const start = number.findIndex((byte) => byte !== 0);
  return start === -1 ? 0 : (number.length - start) * 8 - Math.clz32(number[start]!) + 24;
}

import type { JWK } from "jose";

/** A key of RSA that is shorter is none. */
export const leastBits = 2_048;

// OpenSSL checks no signature with a longer one; only to tell how long it is takes squared time.
const mostBits = 16_384;
const mostExponentBits = 64;

/** An RSA key that could be computed from its public half, that has none, or that takes too long to check with. */
export function isOutOfBounds({ kty, n, e }: JWK): boolean {
  if (kty !== "RSA") return false;
  const bits = bitsOf(n);
  return bits < leastBits || bits > mostBits || bitsOf(e) > mostExponentBits;
}

function bitsOf(encoded: unknown): number {
  if (typeof encoded !== "string") return 0;
  const number = Buffer.from(encoded, "base64url");
  const start = number.findIndex((byte) => byte !== 0);
  return start === -1 ? 0 : (number.length - start) * 8 - Math.clz32(number[start]!) + 24;
}

import type { JSONWebKeySet, JWK } from "jose";

const mostKeys = 100;
/** A key of RSA that is shorter is none. */
export const leastBits = 2_048;

/** What an issuer gave as its keys; throws where it is no set of keys. */
export function readKeys(document: unknown): JSONWebKeySet {
  const { keys } = (document ?? {}) as Partial<JSONWebKeySet>;
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== "object" || (key as unknown) === null)) {
    throw new Error("The issuer's keys are no set of keys (JWKS).");
  }
  if (keys.length > mostKeys) throw new Error(`The issuer has ${keys.length} keys, more than ${mostKeys}.`);
  return { keys: keys.filter((key) => key.kty !== "oct" && !isShort(key)) };
}

/** An RSA key that could be computed from its public half, or that has none. */
function isShort({ kty, n }: JWK): boolean {
  return kty === "RSA" && (typeof n !== "string" || bitsOf(Buffer.from(n, "base64url")) < leastBits);
}

function bitsOf(number: Buffer): number {
  const start = number.findIndex((byte) => byte !== 0);
  return start === -1 ? 0 : (number.length - start) * 8 - Math.clz32(number[start]!) + 24;
}

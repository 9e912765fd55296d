import { constants, createVerify, KeyObject } from "node:crypto";
import type { CryptoKey } from "jose";
import type { Key } from "./find-key.ts";
import { leastBits } from "./rsa-key-bounds.ts";

/** Checks a signature at once. */
export type CheckNow = (signed: string, signature: Buffer) => boolean;

type Method = Readonly<{ digest: string; isSalted: boolean }>;

const methods: Readonly<Record<string, Method>> = {
  RS256: { digest: "sha256", isSalted: false },
  RS384: { digest: "sha384", isSalted: false },
  RS512: { digest: "sha512", isSalted: false },
  PS256: { digest: "sha256", isSalted: true },
  PS384: { digest: "sha384", isSalted: true },
  PS512: { digest: "sha512", isSalted: true },
};

const salted = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

// 90 microseconds; a longer key would hold up other requests.
const mostBits = 4_096;

/**
 * Prepares the check of signatures that cost less than handing them to another thread, and waiting for it, would: those
 * of RSA. Elliptic curves take from 100 to 1,700 microseconds: undefined for them, and for a key that does not suit.
 */
export function createCheckNow(algorithm: string, key: Key): CheckNow | undefined {
  if (!Object.hasOwn(methods, algorithm) || key instanceof Uint8Array) return undefined;
  const { digest, isSalted } = methods[algorithm]!;
  const publicKey = key instanceof KeyObject ? key : KeyObject.from(key as CryptoKey);
  const { type, asymmetricKeyType, asymmetricKeyDetails: { modulusLength = 0 } = {} } = publicKey;
  if (type !== "public" || asymmetricKeyType !== "rsa" || modulusLength < leastBits || modulusLength > mostBits)
    return undefined;
  // A key alone, without a word on padding, is that of RSASSA-PKCS1-v1_5. The one-shot function of Node (24.21) costs more.
  const checked = isSalted ? { key: publicKey, ...salted } : publicKey;
  return (signed, signature) => createVerify(digest).update(signed).verify(checked, signature);
}

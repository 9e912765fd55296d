import { createPublicKey, type KeyObject } from "node:crypto";
import type { JWK } from "jose";
import { GatewayError } from "../../../../errors.ts";
import { parseConfidential } from "../../../../json/parse-confidential.ts";
import { readNamedFile } from "../../../../named-files.ts";
import { byAlgorithm, byAlgorithmAndName, createKeyFinder } from "./key-finder.ts";
import { createFixedKeys, type KeySet } from "./kept-keys.ts";
import type { Jose } from "./load-jose.ts";
import { isKey, readKeys } from "./read-keys.ts";
import { leastBits } from "./rsa-key-bounds.ts";

/** The keys of a scheme, and the algorithms that fit them. */
export type SchemeKeys = Readonly<{ keys: KeySet; algorithms: readonly string[] }>;

// By the type of a key, or by its curve.
const algorithmsByKind: Readonly<Record<string, readonly string[]>> = {
  rsa: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  prime256v1: ["ES256"],
  secp384r1: ["ES384"],
  secp521r1: ["ES512"],
  ed25519: ["EdDSA", "Ed25519"],
};

/** The algorithms of public keys. */
export const asymmetric: readonly string[] = Object.values(algorithmsByKind).flat();

/** Reads the public keys that stand in a file; one that could let nobody in, or whose keys are no public ones, throws. */
export function readKeyFile(jose: Jose, path: string): SchemeKeys {
  try {
    const text = readNamedFile(path).toString();
    if (!text.includes("-----BEGIN")) return ofKeySet(jose, parseConfidential(text));
    if (text.includes("PRIVATE KEY")) throw privateKey();
    return ofPublicKey(createPublicKey(text));
  } catch (error) {
    throw new GatewayError("option-invalid", `The "KeyFile" ${JSON.stringify(path)} cannot be used: ${String(error)}`, {
      cause: error,
    });
  }
}

function ofPublicKey(key: KeyObject): SchemeKeys {
  const algorithms = algorithmsOf(key);
  if (algorithms.length === 0) throw new Error(`No token is signed with a key of ${kindOf(key)}: ${expected}.`);
  const { modulusLength = leastBits } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < leastBits)
    throw new Error(`An RSA key of ${modulusLength} bits is too short: ${leastBits} are needed.`);
  return { keys: createFixedKeys(createKeyFinder(() => key, byAlgorithm)), algorithms };
}

function ofKeySet(jose: Jose, document: unknown): SchemeKeys {
  const set = readKeys(document);
  const { keys: written } = document as Readonly<{ keys: readonly unknown[] }>;
  if (written.filter(isKey).some(isPrivate)) throw privateKey();
  const algorithms = new Set(set.keys.flatMap(algorithmsOfJwk));
  if (algorithms.size === 0) throw new Error(`It has no key that signs tokens: ${expected}.`);
  return {
    keys: createFixedKeys(createKeyFinder(jose.createLocalJWKSet(set), byAlgorithmAndName)),
    algorithms: [...algorithms],
  };
}

const expected = `expected RSA of ${leastBits} bits or more, P-256, P-384, P-521 or Ed25519`;

function algorithmsOfJwk(key: JWK): readonly string[] {
  if (key.use !== undefined && key.use !== "sig") return [];
  try {
    return algorithmsOf(createPublicKey({ key, format: "jwk" }));
  } catch {
    // A set may hold keys that this machine does not know.
    return [];
  }
}

function algorithmsOf(key: KeyObject): readonly string[] {
  return algorithmsByKind[kindOf(key)] ?? [];
}

function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  return asymmetricKeyDetails?.namedCurve ?? String(asymmetricKeyType);
}

function isPrivate(key: JWK): boolean {
  return key.kty === "oct" || "d" in key || "priv" in key;
}

function privateKey(): Error {
  return new Error("It holds a private key, which only the issuer should have.");
}

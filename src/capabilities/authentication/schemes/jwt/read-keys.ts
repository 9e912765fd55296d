import type { JSONWebKeySet } from "jose";
import { isOutOfBounds } from "./rsa-key-bounds.ts";

const mostKeys = 100;

/** What an issuer gave as its keys; throws where it is no set of keys. */
export function readKeys(document: unknown): JSONWebKeySet {
  const { keys } = (document ?? {}) as Partial<JSONWebKeySet>;
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== "object" || (key as unknown) === null)) {
    throw new Error("The issuer's keys are no set of keys (JWKS).");
  }
  if (keys.length > mostKeys) throw new Error(`The issuer has ${keys.length} keys, more than ${mostKeys}.`);
  return { keys: keys.filter((key) => key.kty !== "oct" && !isOutOfBounds(key)) };
}

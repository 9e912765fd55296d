import type { JSONWebKeySet, JWK } from "jose";
import { isObject, listOf } from "../../../../json/json-object.ts";
import { isOutOfBounds } from "./rsa-key-bounds.ts";

const mostKeys = 100;

/** What an issuer gave as its keys; throws where it is no set of keys. */
export function readKeys(document: unknown): JSONWebKeySet {
  const { keys } = (document ?? {}) as Readonly<{ keys?: unknown }>;
  const entries = listOf(keys);
  const found = entries.filter(isKey);
  if (!Array.isArray(keys) || (found.length === 0 && entries.length > 0)) {
    throw new Error("The issuer's keys are no set of keys (JWKS).");
  }
  if (entries.length > mostKeys) throw new Error(`The issuer has ${entries.length} keys, more than ${mostKeys}.`);
  return { keys: found.filter((key) => key.kty !== "oct" && !isOutOfBounds(key)) };
}

/** An entry of a set of keys that is none, such as null, makes none of the others useless. */
export function isKey(entry: unknown): entry is JWK {
  return isObject(entry);
}

import { createHmac, randomBytes } from "node:crypto";
import type { RecognisedIdentity } from "./identity.ts";

/** An identity as logs may show it: the same client is known again, and nobody learns from it who that is. */
export type ShownIdentity = Readonly<{
  scheme: string;
  /** A pseudonym; undefined where the scheme does not tell its clients apart. */
  id: string | undefined;
}>;

/** Shows an identity without its id, claims and token. */
export type ShowIdentity = (identity: RecognisedIdentity) => ShownIdentity;

// Enough that no two clients of a gateway meet under one pseudonym.
const pseudonymBytes = 12;
const keyOfProcess = randomBytes(32);

/** Makes the function that shows identities under pseudonyms, by a key without which nobody can try ids out. */
export function createShowIdentity(key: string | Buffer = keyOfProcess): ShowIdentity {
  const shown = new WeakMap<RecognisedIdentity, ShownIdentity>();
  return function showIdentity(identity) {
    const known = shown.get(identity);
    if (known !== undefined) return known;
    const made = { scheme: identity.scheme, id: pseudonymOf(identity, key) };
    shown.set(identity, made);
    return made;
  };
}

function pseudonymOf({ id, scheme }: RecognisedIdentity, key: string | Buffer): string | undefined {
  if (id === "") return undefined;
  // The ids of two schemes are never equal.
  const digest = createHmac("sha256", key)
    .update(JSON.stringify([scheme, id]))
    .digest();
  return digest.subarray(0, pseudonymBytes).toString("base64url");
}

import type { JWSHeaderParameters } from "jose";
import { type CheckNow, createCheckNow } from "./check-rsa-at-once.ts";
import type { FindKey } from "./find-key.ts";

/** Finds keys, and knows at once those that it has found before. */
export type KeyFinder = Readonly<{
  find: FindKey;
  /** The check of signatures with the key that such a header has led to; undefined where it is not known, or takes long. */
  checkNow: (header: HeaderOfKey) => CheckNow | undefined;
}>;

/** What of a header tells the key. */
export type HeaderOfKey = Pick<JWSHeaderParameters, "alg" | "kid">;

/** By what a key is found again; undefined for a header that clients could vary without end. */
type NameKey = (header: HeaderOfKey) => string | undefined;

/** A key that is the only one is the same for all. */
export const byAlgorithm: NameKey = ({ alg }) => alg;

/** A name that is a text leads to a key only where there is one of that name. */
export const byAlgorithmAndName: NameKey = ({ alg, kid }: Readonly<{ alg?: unknown; kid?: unknown }>) =>
  kid === undefined || typeof kid === "string" ? JSON.stringify([alg, kid]) : undefined;

/** Makes a finder that asks `find` once for each key. */
export function createKeyFinder(find: FindKey, nameOf: NameKey): KeyFinder {
  const checks = new Map<string, CheckNow | undefined>();
  return {
    async find(header, token) {
      const key = await find(header, token);
      const name = nameOf(header);
      if (name !== undefined && !checks.has(name)) checks.set(name, createCheckNow(header.alg!, key));
      return key;
    },
    checkNow(header) {
      const name = nameOf(header);
      return name === undefined ? undefined : checks.get(name);
    },
  };
}

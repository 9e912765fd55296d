import type { FlattenedJWSInput, JWSHeaderParameters } from "jose";
import { after } from "../../../../unattended/guarded.ts";
import type { CheckNow } from "./check-rsa-at-once.ts";
import type { FindKey, Key } from "./find-key.ts";
import type { HeaderOfKey, KeyFinder } from "./key-finder.ts";
import { createKeyFetching, type FetchedKeys, type KeySource, refreshAfter } from "./key-fetching.ts";
import type { Jose } from "./load-jose.ts";

/** The keys of an issuer, kept up to date. */
export type KeySet = Readonly<{
  find: FindKey;
  /** The check of signatures with a key that is known, and need not be asked for. */
  checkNow: KeyFinder["checkNow"];
  /** Counts up whenever the issuer's keys have changed. */
  version: () => number;
}>;

const longestPatience = 1_000;

/**
 * Keeps the keys of an issuer. They are fetched at the first token, once for all who wait; again in the background every
 * ten minutes while tokens come, and at once for a key that is not known, at most three times in thirty seconds.
 */
export function createKeySet(jose: Jose, source: KeySource): KeySet {
  const { maxAge } = source;
  const fetching = createKeyFetching(jose, source);
  return { find, checkNow, version: fetching.version };

  function checkNow(header: HeaderOfKey): CheckNow | undefined {
    const known = fetching.known();
    const isFresh = known !== undefined && Date.now() - known.at <= Math.min(refreshAfter, maxAge);
    return isFresh ? known.checkNow(header) : undefined;
  }

  async function find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<Key> {
    const begunBefore = fetching.begun();
    let keys = await present();
    for (;;) {
      try {
        return await keys.find(header, token);
      } catch (error) {
        if (!isUnknownKey(error)) throw error;
        keys = await newerThan(keys, begunBefore, error);
      }
    }
  }

  /** Only a fetch that began after the token had come tells that its key does not exist. */
  async function newerThan(keys: FetchedKeys, begunBefore: number, error: unknown): Promise<FetchedKeys> {
    const known = fetching.known();
    if (known !== undefined && known !== keys) return known;
    if (keys.fetch > begunBefore) throw error;
    if (!fetching.isAllowed()) throw fetching.failure() ?? error;
    return fetching.fetch();
  }

  /** Whoever asks may send any tokens: an issuer that is down is not to suffer from them either. */
  async function fetchIfAllowed(): Promise<FetchedKeys> {
    if (fetching.isAllowed()) return fetching.fetch();
    const reason: unknown =
      fetching.failure() ?? new Error("The issuer was asked for its keys too often a moment ago.");
    throw reason;
  }

  async function present(): Promise<FetchedKeys> {
    const known = fetching.known();
    const age = known === undefined ? Infinity : Date.now() - known.at;
    if (known === undefined || age > maxAge) return fetchIfAllowed();
    if (age <= refreshAfter || !fetching.isAllowed()) return known;
    // No token came for a while, so that nobody knows what has become of the keys; or the issuer is away.
    const isAway = fetching.failure() !== undefined;
    const fetched = fetching.fetch().catch(() => known);
    return isAway ? known : atOnceOr(known, fetched);
  }
}

/** What comes within a moment, else what is there. */
async function atOnceOr(known: FetchedKeys, refreshed: Promise<FetchedKeys>): Promise<FetchedKeys> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<FetchedKeys>((resolve) => {
    timer = after(longestPatience, () => resolve(known));
  });
  const first = await Promise.race([refreshed, enough]);
  clearTimeout(timer);
  return first;
}

/** Keys that were given once and never change. */
export function createFixedKeys(finder: KeyFinder): KeySet {
  return { ...finder, version: () => 0 };
}

function isUnknownKey(error: unknown): boolean {
  return (error as Readonly<{ code?: unknown }>).code === "ERR_JWKS_NO_MATCHING_KEY";
}

import type { CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters, KeyObject } from "jose";
import type { Jose } from "./load-jose.ts";

/** Finds the key that a token says it was signed with; rejects where the keys cannot be had. */
export type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<Key> | Key;

type Key = CryptoKey | KeyObject | Uint8Array;

/** The keys of an issuer, kept up to date. */
export type KeySet = Readonly<{
  find: FindKey;
  /** Counts up whenever the issuer's keys have changed. */
  version: () => number;
}>;

/** Where keys come from, and how long known ones go on while it is away. */
export type KeySource = Readonly<{ fetchKeys: () => Promise<unknown>; maxAge: number }>;

const refreshAfter = 600_000;
const mostKeys = 100;
const fetchWindow = 30_000;
const mostFetches = 3;

type Known = Readonly<{ find: FindKey; text: string; at: number }>;

/**
 * Keeps the keys of an issuer. They are fetched at the first token, once for all who wait; again in the background every
 * ten minutes, and at once for a key that is not known, at most three times in thirty seconds.
 */
export function createKeySet({ createLocalJWKSet }: Jose, { fetchKeys, maxAge }: KeySource): KeySet {
  let known: Known | undefined;
  let version = 0;
  let underWay: Promise<Known> | undefined;
  const fetches: number[] = [];
  return { find, version: () => version };

  async function find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<Key> {
    const keys = await present();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!isUnknownKey(error) || !mayFetch()) throw error;
      const newer = await refresh();
      return newer.find(header, token);
    }
  }

  async function present(): Promise<Known> {
    const age = known === undefined ? Infinity : Date.now() - known.at;
    if (known === undefined || age > maxAge) return refresh();
    if (age > refreshAfter && mayFetch()) refresh().catch(ignore);
    return known;
  }

  function refresh(): Promise<Known> {
    underWay ??= fetchNow().finally(() => (underWay = undefined));
    return underWay;
  }

  async function fetchNow(): Promise<Known> {
    fetches.push(Date.now());
    const keys = readKeys(await fetchKeys());
    const text = JSON.stringify(keys);
    if (text !== known?.text) version += 1;
    known = { find: createLocalJWKSet(keys), text, at: Date.now() };
    return known;
  }

  function mayFetch(): boolean {
    while (fetches.length > 0 && Date.now() - fetches[0]! > fetchWindow) fetches.shift();
    return underWay !== undefined || fetches.length < mostFetches;
  }
}

/** Keys that were given once and never change. */
export function createFixedKeys(find: FindKey): KeySet {
  return { find, version: () => 0 };
}

/** What an issuer gave as its keys; throws where it is no set of keys. */
export function readKeys(document: unknown): JSONWebKeySet {
  const { keys } = (document ?? {}) as Partial<JSONWebKeySet>;
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== "object" || (key as unknown) === null)) {
    throw new Error("The issuer's keys are no set of keys (JWKS).");
  }
  if (keys.length > mostKeys) throw new Error(`The issuer has ${keys.length} keys, more than ${mostKeys}.`);
  return { keys: keys.filter(({ kty }) => kty !== "oct") };
}

function isUnknownKey(error: unknown): boolean {
  return (error as Readonly<{ code?: unknown }>).code === "ERR_JWKS_NO_MATCHING_KEY";
}

function ignore(): void {
  // Known keys go on, and the next token asks again.
}

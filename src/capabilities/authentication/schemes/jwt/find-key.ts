import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters, KeyObject } from "jose";

/** Finds the key that a token says it was signed with; rejects where the keys cannot be had. */
export type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<Key> | Key;

/** What a signature is checked with. */
export type Key = CryptoKey | KeyObject | Uint8Array;

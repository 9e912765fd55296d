import { withAllDigits } from "../with-all-digits.ts";
import type { JsonObject } from "../json/json-object.ts";

/** A document as it is answered. */
export type KeptDocument = Readonly<{ text: string }>;

/** Documents that are kept for a while; whoever comes while one is fetched waits for it with the others. */
export type KeptDocuments<Key> = (
  key: Key,
  make: () => Promise<JsonObject>,
  milliseconds?: number,
) => Promise<KeptDocument>;

type Kept = { document: Promise<KeptDocument>; until: number };

const keptMilliseconds = 60_000;
// A service may just be starting.
const failureMilliseconds = 10_000;

/** Keeps each document for a minute, unless another time is given, and that there is none for a moment. */
export function createKeptDocuments<Key extends object>(now: () => number): KeptDocuments<Key> {
  const all = new WeakMap<Key, Kept>();

  return function keptDocument(key, make, milliseconds = keptMilliseconds) {
    const known = all.get(key);
    if (known !== undefined && now() < known.until) return known.document;
    const kept: Kept = { document: make().then(toKept), until: Infinity };
    all.set(key, kept);
    void kept.document.then(
      () => (kept.until = now() + milliseconds),
      () => (kept.until = now() + failureMilliseconds),
    );
    return kept.document;
  };
}

function toKept(document: JsonObject): KeptDocument {
  return { text: JSON.stringify(document, withAllDigits) };
}

/** A document as it is answered: all answers share the bytes, as clients may leave any number of them unread. */
export type KeptDocument = Readonly<{ bytes: Buffer }>;

/** Documents that are kept for a while; whoever comes while one is made waits for it with the others. */
type KeptDocuments<Key> = (key: Key, make: () => Promise<string>, milliseconds?: number) => Promise<KeptDocument>;

type Kept = { document: Promise<KeptDocument>; until: number; length: number };

const keptMilliseconds = 60_000;
// A service may just be starting.
const failureMilliseconds = 10_000;
const mostBytes = 64 * 1_024 * 1_024;

/**
 * Keeps each document for a minute, unless another time is given, and that there is none for a moment; where all would be
 * too many, those that were made first go.
 */
export function createKeptDocuments<Key extends object>(now: () => number): KeptDocuments<Key> {
  const all = new Map<Key, Kept>();

  return function keptDocument(key, make, milliseconds = keptMilliseconds) {
    const known = all.get(key);
    if (known !== undefined && now() < known.until) return known.document;
    const kept: Kept = { document: make().then(toKept), until: Infinity, length: 0 };
    all.delete(key);
    all.set(key, kept);
    void kept.document.then(
      ({ bytes }) => {
        kept.until = now() + milliseconds;
        kept.length = bytes.length;
        letGo(kept);
      },
      () => (kept.until = now() + failureMilliseconds),
    );
    return kept.document;
  };

  function letGo(latest: Kept): void {
    let length = [...all.values()].reduce((sum, one) => sum + one.length, 0);
    for (const [key, one] of all) {
      if (length <= mostBytes) return;
      if (one === latest || one.length === 0) continue;
      all.delete(key);
      length -= one.length;
    }
  }
}

function toKept(text: string): KeptDocument {
  return { bytes: Buffer.from(text) };
}

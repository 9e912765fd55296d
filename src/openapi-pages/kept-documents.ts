/** A document as it is answered. */
export type KeptDocument = Readonly<{ text: string }>;

/** Documents that are kept for a while; whoever comes while one is made waits for it with the others. */
type KeptDocuments<Key> = (key: Key, make: () => Promise<string>, milliseconds?: number) => Promise<KeptDocument>;

type Kept = { document: Promise<KeptDocument>; until: number; characters: number };

const keptMilliseconds = 60_000;
// A service may just be starting.
const failureMilliseconds = 10_000;
const mostCharacters = 64 * 1_024 * 1_024;

/**
 * Keeps each document for a minute, unless another time is given, and that there is none for a moment; where all would be
 * too many, those that were made first go.
 */
export function createKeptDocuments<Key extends object>(now: () => number): KeptDocuments<Key> {
  const all = new Map<Key, Kept>();

  return function keptDocument(key, make, milliseconds = keptMilliseconds) {
    const known = all.get(key);
    if (known !== undefined && now() < known.until) return known.document;
    const kept: Kept = { document: make().then(toKept), until: Infinity, characters: 0 };
    all.delete(key);
    all.set(key, kept);
    void kept.document.then(
      ({ text }) => {
        kept.until = now() + milliseconds;
        kept.characters = text.length;
        letGo(kept);
      },
      () => (kept.until = now() + failureMilliseconds),
    );
    return kept.document;
  };

  function letGo(latest: Kept): void {
    let characters = [...all.values()].reduce((sum, one) => sum + one.characters, 0);
    for (const [key, one] of all) {
      if (characters <= mostCharacters) return;
      if (one === latest || one.characters === 0) continue;
      all.delete(key);
      characters -= one.characters;
    }
  }
}

function toKept(text: string): KeptDocument {
  return { text };
}

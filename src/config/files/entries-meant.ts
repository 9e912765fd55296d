import type { EntryIdentity } from "./entry-identity.ts";

/** Tells which entries of a list another entry is about, by their indexes. */
export type Meeting = (entry: EntryIdentity) => readonly number[];

/**
 * Makes the function for the entries of one list. An entry is about those of its name; without one, or where none has it,
 * about those with the same template and all that belongs to it. What it does not write may be anything, but one that is
 * equal in all goes before those.
 */
export function createMeeting(entries: readonly EntryIdentity[]): Meeting {
  const byKey = groupBy(entries, ({ key }) => key);
  const byAnchor = groupBy(entries, ({ anchor }) => anchor);

  return function meet({ key, anchor, details }) {
    const named = key === undefined ? [] : (byKey.get(key) ?? []);
    if (named.length > 0) return named;
    const alike = anchor === undefined ? [] : (byAnchor.get(anchor) ?? []);
    // Another name means another entry.
    const candidates = alike.filter((index) => key === undefined || entries[index]!.key === undefined);
    const equal = candidates.filter((index) => details.every((detail, at) => detail === entries[index]!.details[at]));
    if (equal.length > 0) return equal;
    return candidates.filter((index) =>
      details.every((detail, at) => detail === undefined || detail === entries[index]!.details[at]),
    );
  };
}

function groupBy(
  entries: readonly EntryIdentity[],
  nameOf: (entry: EntryIdentity) => string | undefined,
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, entry] of entries.entries()) {
    const name = nameOf(entry);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [index]);
    else group.push(index);
  }
  return groups;
}

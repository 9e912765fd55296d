import type { EntryIdentity } from "./entry-identity.ts";

/** Tells by their indexes which entries of a list another entry is about. */
export type Meeting = Readonly<{
  /** Those of its name; where there are none, those that are equal in all, or else those that may be meant. */
  meet: (entry: EntryIdentity) => readonly number[];
  /** Those of its name, and those that may be meant where there are none. */
  meetAny: (entry: EntryIdentity) => readonly number[];
}>;

type Groups = ReadonlyMap<string, readonly number[]>;

const none: readonly number[] = [];

/**
 * Prepares that for the entries of one list. An entry is about those of its name; without one, or where none has it, about
 * those with the same template and all that belongs to it. What it does not write may be anything.
 */
export function createMeeting(entries: readonly EntryIdentity[]): Meeting {
  const byKey = groupBy(entries, ({ key }) => key);
  const tables = new Map<string, Groups>();
  return {
    meet(entry) {
      const named = namedBy(entry);
      if (named.length > 0) return named;
      const equal = alike(entry, entry.details.map(indexOf));
      return equal.length > 0 ? equal : alike(entry, writtenIn(entry));
    },
    meetAny: (entry) => [...namedBy(entry), ...alike(entry, writtenIn(entry))],
  };

  function namedBy({ key }: EntryIdentity): readonly number[] {
    return key === undefined ? none : (byKey.get(key) ?? none);
  }

  /** Those with the same template that are equal in such details; another name means another entry. */
  function alike(entry: EntryIdentity, details: readonly number[]): readonly number[] {
    const isNamed = entry.key !== undefined;
    const name = `${details.join()} ${isNamed}`;
    let table = tables.get(name);
    if (table === undefined) {
      const unnamed = (one: EntryIdentity): boolean => one.key === undefined;
      table = groupBy(entries, (one) => (!isNamed || unnamed(one) ? likenessOf(one, details) : undefined));
      tables.set(name, table);
    }
    const likeness = likenessOf(entry, details);
    return likeness === undefined ? none : (table.get(likeness) ?? none);
  }
}

function indexOf(_detail: unknown, index: number): number {
  return index;
}

function writtenIn({ details }: EntryIdentity): readonly number[] {
  return details.flatMap((detail, index) => (detail === undefined ? [] : [index]));
}

/** The template and some details in one text; undefined where there is no template. */
function likenessOf({ anchor, details }: EntryIdentity, counting: readonly number[]): string | undefined {
  return anchor === undefined ? undefined : JSON.stringify([anchor, ...counting.map((index) => details[index])]);
}

function groupBy(entries: readonly EntryIdentity[], nameOf: (entry: EntryIdentity) => string | undefined): Groups {
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

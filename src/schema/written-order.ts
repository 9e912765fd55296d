const order = Symbol("the order in which names were written");

type Ordered<Value> = Readonly<Record<string, Value>> & { readonly [order]?: readonly string[] };

/**
 * A record of names of the user's own that knows in which order they were written: objects put names that look like
 * numbers first, and two that differ in their order alone compare as equal.
 */
export function inOrder<Value>(entries: Iterable<readonly [string, Value]>): Readonly<Record<string, Value>> {
  const byName = new Map(entries);
  const record = Object.create(null) as Record<string, Value>;
  for (const [name, value] of byName) record[name] = value;
  return Object.freeze(Object.assign(record, { [order]: Object.freeze([...byName.keys()]) }));
}

/** The members of a record in the order in which they were written. */
export function entriesInOrder<Value>(record: Ordered<Value>): readonly (readonly [string, Value])[] {
  return (record[order] ?? Object.keys(record)).map((name) => [name, record[name]!]);
}

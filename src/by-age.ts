/** Values by their keys, in the order in which they came. A map whose first entries have left is slow to find its first one. */
export type ByAge<Value, Key = string> = {
  readonly entries: Map<Key, Aged<Value, Key>>;
  oldest: Aged<Value, Key> | undefined;
  newest: Aged<Value, Key> | undefined;
};

/** One value among its neighbours. */
type Aged<Value, Key = string> = {
  readonly key: Key;
  readonly value: Value;
  older: Aged<Value, Key> | undefined;
  newer: Aged<Value, Key> | undefined;
};

/** Makes a table that is empty. */
export function createByAge<Value, Key = string>(): ByAge<Value, Key> {
  return { entries: new Map(), oldest: undefined, newest: undefined };
}

/** Puts a value behind all others; the one that had its key before has left. */
export function addNewest<Value, Key>(table: ByAge<Value, Key>, key: Key, value: Value): void {
  removeAged(table, key);
  const { newest } = table;
  const added: Aged<Value, Key> = { key, value, older: newest, newer: undefined };
  if (newest === undefined) table.oldest = added;
  else newest.newer = added;
  table.newest = added;
  table.entries.set(key, added);
}

/** Takes out what has the key, and gives it back. */
export function removeAged<Value, Key>(table: ByAge<Value, Key>, key: Key): Value | undefined {
  const found = table.entries.get(key);
  if (found === undefined) return undefined;
  table.entries.delete(key);
  const { older, newer } = found;
  if (older === undefined) table.oldest = newer;
  else older.newer = newer;
  if (newer === undefined) table.newest = older;
  else newer.older = older;
  // What has left must not keep in memory what came behind it.
  found.newer = undefined;
  return found.value;
}

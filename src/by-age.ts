/** Values by their keys, in the order in which they came. A map whose first entries have left is slow to find its first one. */
export type ByAge<Value> = {
  readonly entries: Map<string, Aged<Value>>;
  oldest: Aged<Value> | undefined;
  newest: Aged<Value> | undefined;
};

/** One value among its neighbours. */
export type Aged<Value> = {
  readonly key: string;
  readonly value: Value;
  older: Aged<Value> | undefined;
  newer: Aged<Value> | undefined;
};

/** Makes a table that is empty. */
export function createByAge<Value>(): ByAge<Value> {
  return { entries: new Map(), oldest: undefined, newest: undefined };
}

/** Puts a value behind all others; the one that had its key before has left. */
export function addNewest<Value>(table: ByAge<Value>, key: string, value: Value): void {
  removeAged(table, key);
  const { newest } = table;
  const added: Aged<Value> = { key, value, older: newest, newer: undefined };
  if (newest === undefined) table.oldest = added;
  else newest.newer = added;
  table.newest = added;
  table.entries.set(key, added);
}

/** Takes out what has the key, and gives it back. */
export function removeAged<Value>(table: ByAge<Value>, key: string): Value | undefined {
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

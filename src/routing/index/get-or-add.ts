/** The value at a key of a map; made and stored first where there is none. */
export function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const present = map.get(key);
  if (present !== undefined) return present;
  const created = create();
  map.set(key, created);
  return created;
}

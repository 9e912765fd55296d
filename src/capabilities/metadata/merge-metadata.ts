/** Metadata as written: free text to text. */
export type Metadata = Readonly<Record<string, string | null>>;

/** A route's metadata over the global ones, key by key: global keys first, then the route's. Frozen, and without a prototype. */
export function mergeMetadata(global: Metadata | undefined, route: Metadata | undefined): Metadata {
  const merged = Object.create(null) as Record<string, string | null>;
  for (const source of [global, route]) {
    for (const [key, value] of Object.entries(source ?? {})) merged[key] = value;
  }
  return Object.freeze(merged);
}

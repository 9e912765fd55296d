/** Metadata as written: free text to text. */
export type Metadata = Readonly<Record<string, string | null>>;

/** The metadata of a route in the two layers in which they were written. */
export type MetadataLayers = Readonly<{ global?: Metadata | undefined; route?: Metadata | undefined }>;

const none: Metadata = Object.freeze(Object.create(null) as Metadata);

/** A route's metadata over the global ones, key by key: global keys first, then the route's. Frozen, and without a prototype. */
export function mergeMetadata(global: Metadata | undefined, route: Metadata | undefined): Metadata {
  return mergeOnDemand({ global, route })();
}

/**
 * Prepares the merged metadata of a route. Where both layers have keys, the merged object is made when it is asked for,
 * and kept as long as other code holds it: one for each route would take global keys times routes.
 */
export function mergeOnDemand({ global = none, route = none }: MetadataLayers): () => Metadata {
  const only = onlyLayer(global, route);
  if (only !== undefined) return () => only;
  let kept: WeakRef<Metadata> | undefined;

  return function mergedMetadata() {
    const found = kept?.deref();
    if (found !== undefined) return found;
    const merged = mergeLayers(global, route);
    kept = new WeakRef(merged);
    return merged;
  };
}

function onlyLayer(global: Metadata, route: Metadata): Metadata | undefined {
  if (isEmpty(route)) return layerOf(global);
  return isEmpty(global) ? layerOf(route) : undefined;
}

/** One layer, frozen and without a prototype, as whatever the configuration holds is already. */
export function layerOf(layer: Metadata = none): Metadata {
  const isSo = Object.getPrototypeOf(layer) === null && Object.isFrozen(layer);
  return isSo ? layer : mergeLayers(none, layer);
}

function mergeLayers(global: Metadata, route: Metadata): Metadata {
  return Object.freeze(Object.assign(Object.create(null), global, route) as Metadata);
}

function isEmpty(layer: Metadata): boolean {
  for (const _key in layer) return false;
  return true;
}

type Key = string;
type Type = string | object;

/** Gives a value that was read before, or one made anew where it cannot be shared. */
export type Repeat = () => unknown;

/** What one route's metadata were read as so far. Schemas are held weakly, so that one made per request is no leak. */
export type ReadCache = Readonly<{
  find: (key: Key, type: Type, variant: number) => Repeat | undefined;
  remember: (key: Key, type: Type, variant: number, repeat: Repeat) => void;
}>;

type KeyReads = { readonly tokens: Map<string, Repeat>; readonly schemas: WeakMap<object, Repeat> };

/** Makes an empty cache; it takes no memory to speak of before something is remembered. */
export function createReadCache(): ReadCache {
  let variants: (Map<Key, KeyReads> | undefined)[] | undefined;

  function find(key: Key, type: Type, variant: number): Repeat | undefined {
    const reads = variants?.[variant]?.get(key);
    if (reads === undefined) return undefined;
    return typeof type === "string" ? reads.tokens.get(type) : reads.schemas.get(type);
  }

  function remember(key: Key, type: Type, variant: number, repeat: Repeat): void {
    const keys = ((variants ??= [])[variant] ??= new Map<Key, KeyReads>());
    let reads = keys.get(key);
    if (reads === undefined) keys.set(key, (reads = { tokens: new Map(), schemas: new WeakMap() }));
    if (typeof type === "string") reads.tokens.set(type, repeat);
    else reads.schemas.set(type, repeat);
  }

  return { find, remember };
}

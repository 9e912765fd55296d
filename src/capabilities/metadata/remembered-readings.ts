/** Gives a value that was read before, or one made anew where it cannot be shared. */
export type Repeat = () => unknown;

/** What one route's metadata were read as so far. */
export type ReadCache = Readonly<{
  find: (key: string, type: string | object, variant: number) => Repeat | undefined;
  remember: (key: string, type: string | object, variant: number, repeat: Repeat) => void;
}>;

type Reading = Readonly<{ type: string | object; variant: number; repeat: Repeat }>;

/** A key is read as one or two types; the bound is for schemas that user code makes anew for each request. */
const mostReadingsOfOneKey = 32;

/** Makes an empty cache. */
export function createReadCache(): ReadCache {
  const readings = new Map<string, Reading[]>();

  function find(key: string, type: string | object, variant: number): Repeat | undefined {
    const ofKey = readings.get(key);
    if (ofKey === undefined) return undefined;
    for (const reading of ofKey) if (reading.type === type && reading.variant === variant) return reading.repeat;
    return undefined;
  }

  function remember(key: string, type: string | object, variant: number, repeat: Repeat): void {
    const ofKey = readings.get(key) ?? [];
    if (ofKey.length === mostReadingsOfOneKey) ofKey.shift();
    ofKey.push({ type, variant, repeat });
    readings.set(key, ofKey);
  }

  return { find, remember };
}

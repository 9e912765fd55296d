/** When a decompressor begins to work. */
export type Demand = Readonly<{
  /** Calls back as soon as somebody reads; at once, where somebody has. */
  await: (begin: () => void) => void;
  readerTakes: () => void;
}>;

/**
 * Lets a decompressor take memory only when somebody reads: of the parts of an aggregate, which are read one after the other,
 * one has a window at a time, however short their answers are.
 */
export function createDemand(): Demand {
  let isRead = false;
  let whenRead: (() => void) | undefined;
  return { await: awaitReader, readerTakes };

  function awaitReader(begin: () => void): void {
    if (isRead) begin();
    else whenRead = begin;
  }

  function readerTakes(): void {
    isRead = true;
    whenRead?.();
    whenRead = undefined;
  }
}

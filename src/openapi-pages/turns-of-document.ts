import { createDocumentTurns } from "../openapi/document-turns.ts";

/** The turns that one document takes on its way. */
export type TurnsOfDocument = Readonly<{
  /** Waits until so little of others is held that its first bytes may be. */
  enter: () => Promise<void>;
  /** Waits until no other long document is read on or worked on. */
  goOnAsLong: () => Promise<void>;
  /** Tells whether others wait to go on as long ones. */
  areAwaited: () => boolean;
  /** Hands on all that it has. */
  leave: () => void;
}>;

/** How many bytes a document has that is read without waiting for other ones. */
export const shortBytes = 256 * 1_024;

// Their first bytes are all that is held of those that wait: 16 MiB.
const places = createDocumentTurns(64);

/** While one is worked on it takes many times its length: several long ones at a time would come to gigabytes. */
export const longTurns = createDocumentTurns(1);

/** There are two, so that one that asks for some work does not keep all other short ones waiting. */
export const shortTurns = createDocumentTurns(2);

/** Prepares the turns of a document; whoever takes any leaves in the end. */
export function createTurnsOfDocument(): TurnsOfDocument {
  const held: (() => void)[] = [];
  let isLong = false;
  return {
    enter,
    goOnAsLong,
    areAwaited: longTurns.areAwaited,
    leave: () => held.splice(0).forEach((handOn) => handOn()),
  };

  async function enter(): Promise<void> {
    held.push(await places.take());
  }

  async function goOnAsLong(): Promise<void> {
    if (isLong) return;
    held.push(await longTurns.take());
    isLong = true;
  }
}

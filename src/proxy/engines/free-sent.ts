import { freeMemory } from "../../answer/free-memory.ts";

/** More pieces than this are not waited for. */
const waitingAtMost = 64;

/** Frees pieces on their way to where nobody tells that they have arrived; `isSent` is asked whether all before are out for good. */
export function createDisposal(isSent: () => boolean): (piece: Buffer) => void {
  let waiting: Buffer[] = [];

  return function disposeLater(piece) {
    if (isSent()) waiting.splice(0).forEach(freeMemory);
    else if (waiting.length >= waitingAtMost) waiting = [];
    waiting.push(piece);
  };
}

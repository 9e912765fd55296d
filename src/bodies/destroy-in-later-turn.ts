import type { Readable } from "node:stream";
import { nextTurn } from "../unattended/guarded.ts";
import { endQuietly } from "./end-quietly.ts";
import { isReadUnheard } from "./silence.ts";

/**
 * Destroys a stream that user code has given, in a later turn of the event loop. What it reads from is destroyed with it: where
 * that goes through web streams, and has been told to flow in the same turn, Node gives pieces of it all the same, which its
 * adapter does not expect any more, and throws above all code.
 */
export function destroyInLaterTurn(stream: Readable): void {
  nextTurn(() => {
    // A loop of code beside, as for a copy, would fail with it unheard.
    if (isReadUnheard(stream)) endQuietly(stream);
    // Old streams have no such function.
    else (stream as Partial<Readable>).destroy?.();
  });
}

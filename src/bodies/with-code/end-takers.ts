import { ClientRequest } from "node:http";
import { Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { ignoreErrors } from "../../unattended/guarded.ts";
import { madeByOperators } from "./made-by-operators.ts";
import { endsWithSource, type PipedStream, pipesOf } from "./pipes-of.ts";
import { isWatchedByNode } from "./silence.ts";

/**
 * Files, connections, programs and the like that take in what is piped would stay open: whoever waits for them, as `pipeline()`
 * does, hears of that.
 */
export function endTakers(source: PipedStream): void {
  const isAwaited = isWatchedByNode(source as Readable);
  for (const taker of [...pipesOf(source)]) {
    if (!endsWithSource(source, taker)) continue;
    if (passesOn(taker)) endTakers(taker);
    else if (isAwaited || isOfNode(taker)) {
      ignoreErrors(taker);
      (taker as Writable).destroy();
    }
  }
  madeByOperators(source).forEach(endTakers);
}

/** Whether a stream hands on what it takes in: what a connection gives is not that. */
export function passesOn(taker: PipedStream): taker is Readable {
  return taker instanceof Readable && !(taker instanceof Socket);
}

/** Streams of other libraries may do anything as they are destroyed; a response has an end of its own. */
function isOfNode(taker: object): boolean {
  return taker instanceof Writable || taker instanceof ClientRequest;
}

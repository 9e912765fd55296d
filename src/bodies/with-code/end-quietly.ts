import type { Readable, Writable } from "node:stream";
import { nextTurn } from "../../unattended/guarded.ts";
import { breakPipesOf } from "./break-pipes.ts";
import { endTakers, passesOn } from "./end-takers.ts";
import { isUsedByOperatorsAlone, madeByOperators } from "./made-by-operators.ts";
import { endsWithSource, pipesOf } from "./pipes-of.ts";
import { isUnderWay, isWatchedByNode, silence, silenceErrors } from "./silence.ts";

/*
 * A body that ends with its exchange is nobody's failure: what code has made of it (`compose`, web streams, a loop in a
 * generator) would fail with it, and where nobody listens to that, the process ends.
 */

/** Lets a body fail unheard, and be silent for what Node has made of it, to which even an end without an error is a failure. */
export function silenceFailures(body: Readable): void {
  if (!isUnderWay(body)) return;
  if (isWatchedByNode(body)) silence(body);
  else silenceErrors(body);
}

/**
 * Ends a body without an error. What Node has made of it hears nothing, as if the body stood still, unless all of that is
 * heard. Whoever else has listeners there, such as `node:readline`, finds it closed.
 */
export function endQuietly(body: Readable): void {
  if (!isUnderWay(body)) return;
  leaveShared(body);
  endTakers(body);
  // A pipeline ends what it takes from when that has nobody to take it any more.
  if (madeByOperators(body).length > 0 && isUsedByOperatorsAlone(body)) nextTurn(() => endForAll(body));
  else endForAll(body);
}

function endForAll(body: Readable): void {
  if (!isUnderWay(body)) return;
  if (!isWatchedByNode(body) || isUsedByOperatorsAlone(body)) silenceErrors(body);
  else {
    silence(body);
    breakPipesOf(body);
  }
  // Old streams have no such function.
  (body as Partial<Readable>).destroy?.();
}

/** What stays open for others, such as one file for all answers, keeps nothing of a body that is over. */
function leaveShared(source: Readable): void {
  for (const taker of [...pipesOf(source)]) {
    if (!endsWithSource(source, taker)) source.unpipe(taker as Writable);
    else if (passesOn(taker)) leaveShared(taker);
  }
}

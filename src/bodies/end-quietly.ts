import { Socket } from "node:net";
import { Readable, type Writable } from "node:stream";
import { ignoreErrors, ignoresFlow, nextTurn } from "../unattended/guarded.ts";
import { breakPipesOf } from "./break-pipes.ts";
import { isUsedByOperatorsAlone, madeByOperators } from "./made-by-operators.ts";
import { isReadByGateway } from "./stream-for-gateway.ts";
import { endsWithSource, type PipedStream, pipesOf } from "./pipes-of.ts";

/*
 * A body that ends with its exchange is nobody's failure: what code has made of it (`compose`, web streams, a loop in a
 * generator) would fail with it, and where nobody listens to that, the process ends.
 */

/** Whether a stream may still give something, or fail. */
export function isUnderWay(stream: Readable): boolean {
  return !stream.destroyed && !stream.readableEnded;
}

/** Whether a loop of code (`for await`) reads a stream; a generator that does so hands the failure on to what was made of it. */
export function isReadByLoop(stream: Readable): boolean {
  return stream.listenerCount("readable") > Number(ignoresFlow(stream)) && !isReadByGateway(stream);
}

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
  const made = madeByOperators(body);
  made.forEach(endTakers);
  if (made.length === 0) endForAll(body);
  // A pipeline ends what it takes from when that has nobody to take it any more.
  else nextTurn(() => endForAll(body));
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

/** Does so in a later turn of the event loop, as streams of user code are destroyed, too. */
export function endQuietlyInLaterTurn(body: Readable): void {
  nextTurn(() => endQuietly(body));
}

/** All but Node hear nothing any more: a message that comes to its end by itself gives its connection back. */
function silence(body: Readable): void {
  const giveBack = body.listeners("end").find(({ name }) => name === "responseOnEnd");
  Reflect.set(body, "emit", (event: string) => {
    if (event === "end" && giveBack !== undefined) Reflect.apply(giveBack, body, []);
    return false;
  });
}

/** What `compose()` has made fails as it is destroyed, which `node:readline` would hand on to nobody. */
function silenceErrors(body: Readable): void {
  const { emit } = body as { emit: (this: Readable, ...given: unknown[]) => boolean };
  Reflect.set(body, "emit", (...given: unknown[]) => given[0] !== "error" && Reflect.apply(emit, body, given));
}

/** Node's own functions listen for the end of whatever may be written to, too. */
function isWatchedByNode(body: Readable): boolean {
  return body.listenerCount("finish") > 0;
}

/** What stays open for others, such as one file for all answers, keeps nothing of a body that is over. */
function leaveShared(source: Readable): void {
  for (const taker of [...pipesOf(source)]) {
    if (!endsWithSource(source, taker)) source.unpipe(taker as Writable);
    else if (passesOn(taker)) leaveShared(taker);
  }
}

/** Files and the like that take in what is piped would stay open: whoever waits for them, as `pipeline()` does, hears of that. */
export function endTakers(source: PipedStream): void {
  for (const taker of [...pipesOf(source)]) {
    if (!endsWithSource(source, taker)) continue;
    if (passesOn(taker)) endTakers(taker);
    else {
      ignoreErrors(taker);
      taker.destroy();
    }
  }
}

/** Whether a stream hands on what it takes in: what a connection gives is not that. */
function passesOn(taker: PipedStream): taker is Readable {
  return taker instanceof Readable && !(taker instanceof Socket);
}

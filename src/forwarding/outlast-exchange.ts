import { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { type BodiesWithCode, isUnderWay, silence } from "../bodies/bodies-with-code.ts";
import { type PipedStream, pipesOf } from "../bodies/pipes-of.ts";
import { isGiven } from "../bodies/stream-of-user-code.ts";
import { type Cancellation, createCancellation } from "../cancellation.ts";
import { after, listenOnce, nextTurn } from "../unattended/guarded.ts";

/** An exchange, and what user code has of its answers; undefined where it gets none. */
export type ExchangeOfCode = Readonly<{ cancellation: Cancellation; bodiesWithCode?: BodiesWithCode | undefined }>;

/** How long code may have a body after the exchange; milliseconds. */
const outlasting = 1_000;

/**
 * The cancellation of what gives user code its answers: it ends with the exchange, or a moment later where code has asked
 * for a body as a stream. What it has made of that (`compose`, `Readable.from`, web streams) fails with the body, and where
 * it has not handed it over yet, or never will, nobody listens: the failure would end the process.
 */
export function outlast({ cancellation: outer, bodiesWithCode }: ExchangeOfCode): Cancellation {
  if (bodiesWithCode === undefined) return outer;
  const calls = createCancellation(outer.logger);
  outer.onCancel((reason) => endCalls(bodiesWithCode, () => void calls.cancel(reason)));
  return calls;
}

function endCalls(bodies: BodiesWithCode, end: () => void): void {
  const held = bodies.opened.filter(isUnderWay);
  bodies.piped?.ignoreFailures();
  const apart = held.filter((body) => !isPipedToClient(body) && !isReadByLoop(body));
  if (apart.length === 0) end();
  else if (bodies.hasGiven) endBehindGiven(apart, bodies, end);
  else endAMomentLater(apart, bodies, end);
}

/** What was given is destroyed in the next turn, and most bodies that it was made of with it. */
function endBehindGiven(held: readonly Readable[], bodies: BodiesWithCode, end: () => void): void {
  nextTurn(() => nextTurn(() => endApart(held, bodies, end)));
}

/** Code that is still at work may hand over what it has made. */
function endAMomentLater(held: readonly Readable[], bodies: BodiesWithCode, end: () => void): void {
  const timer = after(outlasting, () => endApart(held, bodies, end)).unref();
  for (const body of held) listenOnce(body, "close", endIfOver);

  function endIfOver(): void {
    if (held.some(isUnderWay)) return;
    clearTimeout(timer);
    end();
  }
}

/** Code that is still at work hears of the end by its bodies; behind it, only who can hear of it without harm. */
function endApart(held: readonly Readable[], { running }: BodiesWithCode, end: () => void): void {
  if (running === 0) held.filter(isUnderWay).forEach(endWithoutError);
  end();
}

/**
 * Ends a body to which no code waits any more. A loop over it gets the error; what Node has made of it in another way would
 * fail with it, and hears nothing; whoever has listeners there, such as `node:readline`, which hands errors on, finds it closed.
 */
function endWithoutError(body: Readable): void {
  if (isReadByLoop(body)) return;
  if (isWatchedByNode(body)) silence(body);
  else body.destroy();
}

/** A loop (`for await`) hears of a failure, whenever that comes. */
function isReadByLoop(body: Readable): boolean {
  return body.listenerCount("readable") > 0;
}

/** Node's own functions listen for the end of whatever may be written to, too. */
function isWatchedByNode(body: Readable): boolean {
  return body.listenerCount("finish") > 0;
}

/** Whether what is piped from a stream goes to the client: to what was given, the gateway listens. */
function isPipedToClient(source: PipedStream): boolean {
  return pipesOf(source).some(
    (stream) => stream instanceof ServerResponse || isGiven(stream) || isPipedToClient(stream),
  );
}

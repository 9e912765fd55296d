import type { Readable } from "node:stream";
import { isFlowPrevented, listen } from "../../unattended/guarded.ts";
import { isUsedByOperatorsAlone } from "./made-by-operators.ts";

/** Whether a stream may still give something, or fail. */
export function isUnderWay(stream: Readable): boolean {
  return !stream.destroyed && !stream.readableEnded;
}

/** Whether a loop of code (`for await`) reads a stream; a generator that does so hands the failure on to what was made of it. */
export function isReadByLoop(stream: Readable): boolean {
  return isOfNode(stream) && stream.listenerCount("readable") > Number(isFlowPrevented(stream));
}

/** Whether a loop reads a stream that hands its failure on to somebody who is not known, and perhaps heard by nobody. */
export function isReadUnheard(stream: Readable): boolean {
  return isReadByLoop(stream) && !isUsedByOperatorsAlone(stream);
}

/** All but Node hear nothing any more: a message that comes to its end by itself gives its connection back. */
export function silence(body: Readable): void {
  const giveBack = body.listeners("end").find(({ name }) => name === "responseOnEnd");
  Reflect.set(body, "emit", (event: string) => {
    if (event === "end" && giveBack !== undefined) Reflect.apply(giveBack, body, []);
    return false;
  });
}

const withoutErrors = new WeakSet<Readable>();

/** What `compose()` has made fails as it is destroyed, which `node:readline` would hand on to nobody. */
export function silenceErrors(body: Readable): void {
  if (withoutErrors.has(body)) return;
  withoutErrors.add(body);
  const { emit } = body as { emit: (this: Readable, ...given: unknown[]) => boolean };
  Reflect.set(body, "emit", (...given: unknown[]) => given[0] !== "error" && Reflect.apply(emit, body, given));
}

/** Node's own functions listen for the end of whatever may be written to, too. */
export function isWatchedByNode(body: Readable): boolean {
  return isOfNode(body) && body.listenerCount("finish") > 0;
}

/** Streams of other libraries need not tell who listens to them. */
function isOfNode(stream: Partial<Readable>): boolean {
  return typeof stream.listenerCount === "function";
}

const ofGateway = new WeakSet<object>();

/** Listens for failures of a stream, also for those that nobody else is to hear. */
export function hearFailure(stream: Readable, listener: (error: Error) => void): void {
  ofGateway.add(listen(stream, "error", listener));
}

/** Breaks a stream off for the gateway alone, so that no loop beside hands that on. */
export function failForGateway(stream: Readable, failure: Error): void {
  const hearing = stream.listeners("error").filter((listener) => ofGateway.has(listener));
  silence(stream);
  stream.destroy();
  for (const hear of hearing) Reflect.apply(hear, stream, [failure]);
}

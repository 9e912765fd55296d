import { EventEmitter } from "node:events";
import { Stream, type Readable } from "node:stream";
import { reportDefect } from "./defects.ts";

/*
 * All listeners and timers of the package are attached here (a lint rule sees to it): nobody stands above them, so that
 * whatever one of them throws would end the process.
 */

/** A listener as it was attached: what `off` takes. */
export type Attached = (...values: unknown[]) => void;

type Listener = (...values: never[]) => void;
type Emitter = Readonly<Record<"on" | "once" | "off", (event: string, listener: Attached) => unknown>>;

/** Attaches a listener; when it throws, the stream that it was attached to is destroyed, since a request may hang on it. */
export function listen(emitter: Emitter, event: string, listener: Listener): Attached {
  const guarded = guard(listener, emitter);
  emitter.on(event, guarded);
  return guarded;
}

/** Attaches a listener for the first event only. */
export function listenOnce(emitter: Emitter, event: string, listener: Listener): Attached {
  const guarded = guard(listener, emitter);
  emitter.once(event, guarded);
  return guarded;
}

/** Attaches a listener before those that are there already. */
export function listenFirst(emitter: EventEmitter, event: string, listener: Listener): Attached {
  const guarded = guard(listener, emitter);
  emitter.prependListener(event, guarded);
  return guarded;
}

/** Lets an emitter fail without ending the process: the code that uses it learns of the failure in another way. */
export function ignoreErrors(emitter: Emitter): void {
  emitter.on("error", ignore);
}

/** Takes off what {@link ignoreErrors} has attached. */
export function heedErrors(emitter: Emitter): void {
  emitter.off("error", ignore);
}

/** Lets nobody set a stream flowing: Node leaves that to those who listen for what can be read, and who read it. */
export function preventFlow(stream: Readable): void {
  if (!isFlowPrevented(stream)) stream.on("readable", ignore);
}

/** Takes off what {@link preventFlow} has attached. */
export function allowFlow(stream: Readable): void {
  stream.off("readable", ignore);
}

/** Whether nobody can set a stream flowing, by {@link preventFlow}. */
export function isFlowPrevented(stream: Readable): boolean {
  return stream.listenerCount("readable", ignore) > 0;
}

/**
 * Shows the pieces of a stream to a listener as other code reads them: attached the usual way, the listener would set
 * the stream flowing.
 */
export function watchPieces(stream: Readable, listener: (piece: Buffer | string) => unknown): Attached {
  const guarded = guard(listener, stream);
  EventEmitter.prototype.on.call(stream, "data", guarded);
  return guarded;
}

/** Calls back after some milliseconds; when that throws, `hangsOn` is destroyed. */
export function after(milliseconds: number, callback: () => void, hangsOn?: Stream): NodeJS.Timeout {
  return setTimeout(guard(callback, hangsOn), milliseconds);
}

/** Calls back again and again; when that throws, `hangsOn` is destroyed. */
export function every(milliseconds: number, callback: () => void, hangsOn?: Stream): NodeJS.Timeout {
  return setInterval(guard(callback, hangsOn), milliseconds);
}

/** Calls back in the next turn of the event loop, behind what has come in by then. */
export function nextTurn(callback: () => void, hangsOn?: Stream): NodeJS.Immediate {
  return setImmediate(guard(callback, hangsOn));
}

/** Calls back in the turn behind the next one: what begins in the next turn has begun by then. */
export function turnAfterNext(callback: () => void): void {
  nextTurn(() => nextTurn(callback));
}

/** Calls back as soon as what runs at the moment is done. */
export function rightAfter(callback: () => void, hangsOn?: Stream): void {
  process.nextTick(guard(callback, hangsOn));
}

function ignore(): void {
  // Nothing is to be done.
}

/** Wraps a callback above which no code would catch an error: when it throws, `hangsOn` is destroyed. */
export function guard(listener: Listener, hangsOn?: unknown): Attached {
  return function guarded(this: unknown, ...values) {
    try {
      Reflect.apply(listener, this, values);
    } catch (error) {
      reportDefect(error);
      // Old streams have no such function.
      if (hangsOn instanceof Stream) (hangsOn as Partial<Readable>).destroy?.();
    }
  };
}

import type { Readable } from "node:stream";
import { isSpent } from "./gone-body.ts";
import { isStream } from "./is-stream.ts";
import { noteBeforeHold } from "./read-before.ts";
import { allowFlow, preventFlow, listen, listenOnce, nextTurn, rightAfter } from "../../unattended/guarded.ts";

type Read = (this: Readable, size?: number) => unknown;

/** How streams are read that nobody may read now. */
const held = new WeakMap<Readable, Read>();
const watched = new WeakSet<Readable>();
/** What is held with a body, as that may be made of it. */
const heldWith = new WeakMap<Readable, readonly Readable[]>();

/**
 * Holds what a body gives until the gateway reads it: code that has the body, too, may read it at any time, by a loop, a pipe
 * whose target has room again, a listener that comes late, or `resume()`. It hears what the gateway reads. What flowed
 * elsewhere of its `sources` before would be lacking in a body that code has made of one of them (`body.map(…)`).
 */
export function holdUntilRead(body: Readable, sources: readonly Readable[]): void {
  // Of a stream that is on its way to somebody else nothing is held.
  if (isSpent(body)) return;
  noteBeforeHold(body);
  hold(body);
  const heldToo = sources.filter((source) => source !== body && !isSpent(source) && !held.has(source));
  heldToo.forEach(hold);
  heldWith.set(body, heldToo);
}

/** Lets nobody read a stream. */
export function hold(body: Readable): void {
  // Those of other libraries may say nothing of their flow.
  if (held.has(body) || !isStream(body) || !("readableFlowing" in body)) return;
  const { read } = body as { read: Read };
  held.set(body, read);
  Reflect.set(body, "read", (size?: number) => (size === 0 ? Reflect.apply(read, body, [size]) : null));
  if (body.readableFlowing !== null) preventFlow(body);
  else stopFlowOnceBegun(body);
}

/** Lets a stream be read by all who have it. */
export function release(body: Readable): void {
  releaseSources(body);
  const read = held.get(body);
  if (read === undefined) return;
  held.delete(body);
  Reflect.set(body, "read", read);
  allowFlow(body);
  // Loops were told that there is something, and found nothing.
  rightAfter(() => {
    if (!held.has(body) && body.listenerCount("readable") > 0) body.emit("readable");
  });
}

/** The body has begun to read its source by then, whatever stands between the two. */
function releaseSources(body: Readable): void {
  const sources = heldWith.get(body);
  if (sources === undefined) return;
  heldWith.delete(body);
  nextTurn(() => sources.forEach(release));
}

/** Nobody has begun to read it, and nothing is read ahead until somebody does. */
function stopFlowOnceBegun(body: Readable): void {
  if (watched.has(body)) return;
  watched.add(body);
  listen(body, "newListener", (event: string) => {
    if (event === "data") stopFlow();
  });
  listenOnce(body, "resume", stopFlow);

  function stopFlow(): void {
    if (held.has(body)) preventFlow(body);
  }
}

import { Readable } from "node:stream";
import { destroyUnread, watchGiven } from "./given-stream.ts";
import type { Cancellation } from "../cancellation.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";

const present = Symbol("present");
const cancellationOf = Symbol("cancellation");

type Watched = { [present]: OutgoingRequest["body"]; [cancellationOf]: Cancellation };

/** The accessors are shared, as each pair made anew costs a hidden class. */
const accessors: PropertyDescriptor & ThisType<Watched> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[present];
  },
  set(body: OutgoingRequest["body"]) {
    this[present] = body;
    if (!(body instanceof Readable)) return;
    watchGiven(body);
    this[cancellationOf].onCancel(() => destroyUnread(body));
  },
};

/** Watches the streams that handlers set as a request's body: one may fail while other handlers are still busy. */
export function watchOutgoingBody(outgoing: OutgoingRequest, cancellation: Cancellation): void {
  const { body } = outgoing;
  Object.defineProperty(outgoing, present, { value: body, writable: true });
  Object.defineProperty(outgoing, cancellationOf, { value: cancellation });
  Object.defineProperty(outgoing, "body", accessors);
}

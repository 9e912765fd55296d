import { Readable } from "node:stream";
import type { OutgoingRequest } from "../delegating-handler.ts";
import { adoptRefusedBody } from "./adopt-refused-body.ts";
import { destroyAtEnd, type Receiver, watchGiven } from "./stream-of-user-code.ts";

const present = Symbol("present");
const receiver = Symbol("receiver");

type Watched = { [present]: OutgoingRequest["body"]; [receiver]: Receiver };

/** The accessors are shared, as each pair made anew costs a hidden class. */
const accessors: PropertyDescriptor & ThisType<Watched> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[present];
  },
  set(body: OutgoingRequest["body"]) {
    this[present] = body;
    if (body instanceof Readable) {
      watchGiven(body);
      destroyAtEnd(body, this[receiver]);
    } else if (body !== null && !Buffer.isBuffer(body)) adoptRefusedBody(body);
  },
};

/** Watches the streams that handlers set as a request's body: one may fail while other handlers are still busy. */
export function watchOutgoingBody(outgoing: OutgoingRequest, exchange: Receiver): void {
  const { body } = outgoing;
  Object.defineProperty(outgoing, present, { value: body, writable: true });
  Object.defineProperty(outgoing, receiver, { value: exchange });
  Object.defineProperty(outgoing, "body", accessors);
}

import { Readable } from "node:stream";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import { adoptRefusedBody } from "./adopt-refused-body.ts";
import { allowListeners, followPipes } from "./bodies-with-code.ts";
import type { OwnBytes } from "../parsed/room-for-copies.ts";
import { destroyAtEnd } from "./destroy-at-end.ts";
import { hearUnheard } from "./hear-unheard.ts";
import { hearMadeByOperators } from "./made-by-operators.ts";
import { type Receiver, watchGiven } from "./stream-of-user-code.ts";

const present = Symbol("present");
const receiver = Symbol("receiver");
const toOwn = Symbol("toOwn");

/** Whose request it is; with `ownBytes` where copies of bytes take room. */
type Watching = Receiver & Readonly<{ ownBytes?: OwnBytes }>;

type Watched = { [present]: OutgoingRequest["body"]; [receiver]: Receiver; [toOwn]?: OwnBytes | undefined };

const copyBytes: OwnBytes = (bytes) => Buffer.from(bytes);

/** The accessors are shared, as each pair made anew costs a hidden class. */
const accessors: PropertyDescriptor & ThisType<Watched> = {
  enumerable: true,
  configurable: true,
  get() {
    const { [present]: body, [toOwn]: copy } = this;
    if (body instanceof Readable) watchUsed(body, this[receiver]);
    if (copy === undefined) return body;
    this[toOwn] = undefined;
    return (this[present] = copy(body as Buffer));
  },
  set(body: OutgoingRequest["body"]) {
    this[present] = body;
    this[toOwn] = undefined;
    if (body instanceof Readable) {
      watchGiven(body);
      allowListeners(body);
      destroyAtEnd(body, this[receiver]);
    } else if (body !== null && !Buffer.isBuffer(body)) adoptRefusedBody(body);
  },
};

/** Watches what code makes of a body of a request. */
function watchUsed(body: Readable, { bodiesWithCode, cancellation }: Receiver): void {
  allowListeners(body);
  followPipes(bodiesWithCode, body);
  hearMadeByOperators(body, (made) => {
    followPipes(bodiesWithCode, made);
    hearUnheard(made, body, cancellation.logger);
  });
}

/**
 * Watches the streams that handlers set as a request's body: one may fail while other handlers are still busy. Bytes that
 * others may have, too, are copied as soon as a handler reads them, as it may change them where they are.
 */
export function watchOutgoingBody(outgoing: OutgoingRequest, exchange: Watching): OutgoingRequest {
  const { body } = outgoing;
  Object.defineProperty(outgoing, present, { value: body, writable: true });
  Object.defineProperty(outgoing, receiver, { value: exchange });
  if (Buffer.isBuffer(body))
    Object.defineProperty(outgoing, toOwn, { value: exchange.ownBytes ?? copyBytes, writable: true });
  return Object.defineProperty(outgoing, "body", accessors);
}

/** The body of such a request for whoever sends it, and changes nothing in it. */
export function bodyToSend(outgoing: OutgoingRequest & Partial<Watched>): OutgoingRequest["body"] {
  const { [present]: body } = outgoing;
  return body === undefined ? outgoing.body : body;
}

import type { OutgoingRequest } from "../delegating-handler.ts";

/** A request that may know whether a handler has set its origin; undefined where nobody wants to know. */
export type OriginWatch = { originWasSet?: boolean | undefined };

const present = Symbol("present");
const watch = Symbol("watch");

type Watched = { [present]: string; [watch]: OriginWatch };

/** The accessors are shared, as each pair made anew costs a hidden class. */
const accessors: PropertyDescriptor & ThisType<Watched> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[present];
  },
  set(origin: string) {
    this[present] = origin;
    this[watch].originWasSet = true;
  },
};

/**
 * Notes when a handler sets the origin, be it to the one that was chosen: by which tenant or shard it goes, only it knows,
 * and another request may have been sent to the same host by chance.
 */
export function watchOrigin(outgoing: OutgoingRequest, request: OriginWatch): OutgoingRequest {
  if (request.originWasSet === undefined) return outgoing;
  Object.defineProperty(outgoing, present, { value: outgoing.origin, writable: true });
  Object.defineProperty(outgoing, watch, { value: request });
  return Object.defineProperty(outgoing, "origin", accessors);
}

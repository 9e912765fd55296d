import type { OutgoingRequest } from "../delegating-handler.ts";
import type { HostSeeker } from "../hosts/balancer.ts";

/** A request that may know whether code has said where it goes. */
export type OriginWatch = Pick<HostSeeker, "isHostOfCode">;

const present = Symbol("present");
const watch = Symbol("watch");

type Watched = { [present]: string; [watch]: OriginWatch };

/** The accessors are shared, as each pair made anew costs a hidden class. */
const accessors: PropertyDescriptor & ThisType<Watched> = {
  enumerable: true,
  get() {
    return this[present];
  },
  set(origin: string) {
    this[present] = origin;
    this[watch].isHostOfCode = true;
  },
};

/**
 * Notes when a handler sets the origin, be it to the one that was chosen: by which tenant or shard it goes, only it knows,
 * and another request may have been sent to the same host by chance.
 */
export function watchOrigin(outgoing: OutgoingRequest, request: OriginWatch): OutgoingRequest {
  if (request.isHostOfCode !== false) return outgoing;
  Object.defineProperty(outgoing, present, { value: outgoing.origin, writable: true });
  Object.defineProperty(outgoing, watch, { value: request });
  return Object.defineProperty(outgoing, "origin", accessors);
}

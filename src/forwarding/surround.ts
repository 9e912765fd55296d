import type { OutgoingRequest, UpstreamResponse } from "../delegating-handler.ts";

/** An answer, or the promise of one: an answer that is there already need not be waited for. */
export type Answering = UpstreamResponse | Promise<UpstreamResponse>;

/** Sends a request for somebody. */
type Send<Request> = (outgoing: OutgoingRequest, asker: Request) => Answering;

/** Stands around a way to send. */
export type Surrounding<Request> = (
  outgoing: OutgoingRequest,
  request: Request,
  send: (asker: Request) => Answering,
) => Answering;

/** Puts what stands around a way to send around it, the first one outermost. */
export function surround<Request>(surroundings: readonly Surrounding<Request>[], send: Send<Request>): Send<Request> {
  return surroundings.reduceRight<Send<Request>>((inner, surrounding) => {
    return (outgoing, request) => surrounding(outgoing, request, (asker) => inner(outgoing, asker));
  }, send);
}

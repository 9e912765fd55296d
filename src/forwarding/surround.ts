import type { OutgoingRequest, UpstreamResponse } from "../delegating-handler.ts";

/** Sends a request for somebody. */
type Send<Request> = (outgoing: OutgoingRequest, asker: Request) => Promise<UpstreamResponse>;

/** Stands around a way to send. */
export type Surrounding<Request> = (
  outgoing: OutgoingRequest,
  request: Request,
  send: (asker: Request) => Promise<UpstreamResponse>,
) => Promise<UpstreamResponse>;

/** Puts what stands around a way to send around it, the first one outermost. */
export function surround<Request>(surroundings: readonly Surrounding<Request>[], send: Send<Request>): Send<Request> {
  return surroundings.reduceRight<Send<Request>>((inner, surrounding) => {
    return (outgoing, request) => surrounding(outgoing, request, (asker) => inner(outgoing, asker));
  }, send);
}

import type { OutgoingRequest } from "../delegating-handler.ts";
import { copyHeaders } from "./copy-outgoing.ts";

/**
 * Tells a request that no handler sees which headers handlers have set on theirs: what stands around the choice of a host, as
 * a cache, judges by them who else may get the answer. None is taken away again, as several calls may be made.
 */
export function tellHeaders(known: OutgoingRequest, { headers }: OutgoingRequest): void {
  Object.assign(known.headers, copyHeaders(headers));
}

/** Tells such a request what is sent in its place. */
export function tellSent(known: OutgoingRequest, sent: OutgoingRequest): void {
  known.method = sent.method;
  tellHeaders(known, sent);
}

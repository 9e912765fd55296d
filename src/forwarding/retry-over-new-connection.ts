import { holdUnread, isUnread } from "../bodies/uploads/unread-body.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";
import type { EngineAnswer } from "./engines/engine.ts";
import { notesOf } from "./failure-notes.ts";

/** A request on its way. */
type Asking = Readonly<{ outgoing: Pick<OutgoingRequest, "method" | "body"> }>;

const idempotentMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]);

/** Asks again over another connection where a kept one was closed as it was used: that says nothing about the host. */
export async function askTwice(ask: () => Promise<EngineAnswer>, asking: Asking): Promise<EngineAnswer> {
  try {
    return await ask();
  } catch (failure) {
    if (!isStale(failure, asking.outgoing)) throw failure;
    holdUnread(asking.outgoing.body);
    return ask();
  }
}

/** A kept connection that the upstream closed as it was used again: the upstream has not seen the request. */
function isStale(failure: unknown, { method, body }: Asking["outgoing"]): boolean {
  if (notesOf(failure).reused !== true) return false;
  // The head goes out with the first bytes of the body: before them, nothing has.
  return body === null ? idempotentMethods.has(method) : isUnread(body);
}

import { Readable } from "node:stream";
import { holdUnread } from "../bodies/uploads/unread-body.ts";
import { createInnerCancellation, exchangeIsOver } from "../cancellation.ts";
import { createRetryBudget } from "../capabilities/retry/retry-budget.ts";
import { pauseBeforeRetry } from "../capabilities/retry/retry-pause.ts";
import type { RetryTerms } from "../capabilities/retry/retry-terms.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { OverloadError, UpstreamError } from "../errors.ts";
import type { HostLease } from "../hosts/lease.ts";
import type { RouteHosts } from "../hosts/route-hosts.ts";
import { ignoreErrors } from "../unattended/guarded.ts";
import { type Call, moveTo } from "./call.ts";
import { notesOf } from "./failure-notes.ts";
import { isOwnLack } from "./no-room-for-connections.ts";

/** What came of sending a request once. */
type Outcome = Readonly<{ answer: UpstreamResponse } | { failure: unknown }>;

/** A request on one of its ways to the upstream, and the origins where it was before. */
type Attempt = Readonly<{ call: Call; tried: readonly string[] }>;

type Send = (call: Call) => Promise<UpstreamResponse>;

/** Prepares how requests are sent once more, to another host where there is one, when there is no answer or a bad one. */
export function createRetry(send: Send, terms: RetryTerms, hosts: RouteHosts): Send {
  const budget = createRetryBudget(terms.share);

  return async function retryRequest(given) {
    budget.note();
    let attempt: Attempt = { call: copyOf(given, given.lease), tried: [] };
    let outcome = await sendOnce(send, attempt.call);
    for (let count = 0; count < terms.count && isWorthAnother(outcome, given); count += 1) {
      const next = budget.isLeft() ? nextAttempt(given, attempt) : undefined;
      if (next === undefined) break;
      budget.spend();
      discard(outcome);
      holdUnread(given.outgoing.body);
      await pauseBeforeRetry(count, given.cancellation);
      attempt.call.cancellation.cancel(exchangeIsOver);
      given.observation?.retried();
      given.observation?.sending(next.call.outgoing);
      attempt = next;
      outcome = await sendOnce(send, next.call);
    }
    if ("failure" in outcome) throw outcome.failure;
    return outcome.answer;
  };

  function isWorthAnother(outcome: Outcome, { outgoing: { method, body } }: Call): boolean {
    const isBad = "failure" in outcome ? isWithoutAnswer(outcome.failure) : terms.statuses.has(outcome.answer.status);
    const isThere = !(body instanceof Readable) || !body.readableDidRead;
    return isBad && isThere && terms.methods.has(method);
  }

  /** The same request for the next host; undefined where none may be asked. */
  function nextAttempt(given: Call, { call, tried: before }: Attempt): Attempt | undefined {
    const tried = [...before, call.lease.origin];
    const lease = leaseAfter(call, tried);
    if (lease === undefined) return undefined;
    const next = copyOf(given, call.lease);
    if (lease !== call.lease) moveTo(next, lease);
    return { call: next, tried };
  }

  function leaseAfter({ lease, asker }: Call, tried: readonly string[]): HostLease | undefined {
    // Of a host that a handler has chosen, or that is the only one, nothing is known: it is the one to ask again.
    if (lease.host === undefined) return lease;
    try {
      return hosts.another(lease, asker, tried) ?? hosts.again(lease, asker);
    } catch {
      // By now every host is left alone; what came of the request before is the better answer.
      return undefined;
    }
  }
}

/** An answer that cannot be taken is one all the same: the upstream has heard the request. */
function isWithoutAnswer(failure: unknown): boolean {
  // A port that is not free for this host may be for another one.
  if (failure instanceof OverloadError) return isOwnLack(failure.cause);
  return failure instanceof UpstreamError && notesOf(failure).answered === undefined;
}

async function sendOnce(send: Send, call: Call): Promise<Outcome> {
  try {
    return { answer: await send(call) };
  } catch (failure) {
    return { failure };
  }
}

/** A request to be sent once: what is changed of it on the way is gone with it, and so is what it opens. */
function copyOf(given: Call, lease: HostLease): Call {
  const outgoing = { ...given.outgoing, headers: { ...given.outgoing.headers } };
  return { ...given, outgoing, lease, cancellation: createInnerCancellation(given.cancellation) };
}

/** Reads on what nobody wants while the next attempt waits, so that its connection can be used again. */
function discard(outcome: Outcome): void {
  if ("failure" in outcome) return;
  const { body } = outcome.answer;
  ignoreErrors(body);
  body.resume();
}

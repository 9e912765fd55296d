import type { ServerResponse } from "node:http";
import { settingsBy } from "../../bodies/responses/response-of-part.ts";
import type { Cancellation } from "../../cancellation.ts";
import type { Headers } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { forbiddingNames, isForbidden } from "./forbidden-to-keep.ts";

/** What is known of how an answer is made, besides the answer. */
export type Making = Readonly<{
  /** Whether it may be given to others, by what is known as its head is there. */
  isForOthers: () => boolean;
  /** Whether it still may, as its body comes: code may go on to write that, and the head may wait for it. */
  isStillForOthers: () => boolean;
}>;

/** A service answers as a whole, or breaks off. */
export const madeByService: Making = { isForOthers: () => true, isStillForOthers: () => true };

/**
 * Follows code at work: it answers somehow, also once its call has ended, and may set headers on the response itself. What
 * stands there may have been set before, by middleware or for another part of an aggregate, and be set once more.
 */
export function watchCode({ context: { res } }: MatchedExchange, { onCancel }: Pick<Cancellation, "onCancel">): Making {
  let hasEnded = false;
  onCancel(() => (hasEnded = true));
  const before = headersOn(res);
  const settings = settingsBy(res);
  return { isForOthers, isStillForOthers };

  /** What code says in a head that it writes itself, nobody can read; what it sets may be what another part has set. */
  function isForOthers(): boolean {
    const isAsBefore = !res.headersSent && settingsBy(res) === settings && headersOn(res) === before;
    return isAsBefore && isStillForOthers();
  }

  /** Of what stands there behind a head the client hears nothing, and with the head others set what is theirs. */
  function isStillForOthers(): boolean {
    return !hasEnded && !res.destroyed && (res.headersSent || !isForbidden(forbiddingOn(res)));
  }
}

/** What stands on the response of a client. */
function headersOn(res: ServerResponse): string {
  return String(Object.entries(res.getHeaders()));
}

/** What there forbids to keep an answer, as texts: in JavaScript it may be anything. */
function forbiddingOn(res: ServerResponse): Headers {
  const told = Object.entries(res.getHeaders()).filter(([name]) => forbiddingNames.has(name));
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]));
}

import type { ServerResponse } from "node:http";
import type { Cancellation } from "../../cancellation.ts";
import type { Headers } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { forbiddingNames, isForbidden } from "./forbidden-to-keep.ts";

/** What is known of how an answer is made, besides the answer. */
export type Making = Readonly<{
  /** Whether those who make it know that nobody wants it any more: what they still give may be what they had by then. */
  isOver: () => boolean;
  /** Whether it was said on the client's response, where no answer tells it, for whom the answer is. */
  isForOne: () => boolean;
  /** Whether that is said there since: the head may wait for a body that code goes on to write. */
  isForOneByNow: () => boolean;
}>;

/** A service answers as a whole, or breaks off. */
export const madeByService: Making = { isOver: () => false, isForOne: () => false, isForOneByNow: () => false };

/**
 * Follows handlers at work: they answer somehow, also once their call has ended, and may set headers on the response itself.
 * What stands there may have been set before, by middleware or for another part of an aggregate, and be set once more.
 */
export function watchHandlers(
  { context: { res } }: MatchedExchange,
  { onCancel }: Pick<Cancellation, "onCancel">,
): Making {
  let hasEnded = false;
  onCancel(() => (hasEnded = true));
  const before = headersOn(res);
  return {
    isOver: () => hasEnded || res.destroyed,
    isForOne: () => headersOn(res) !== before || isForbidden(forbiddingOn(res)),
    // Of what stands there behind a head the client hears nothing, and with the head others set what is theirs.
    isForOneByNow: () => !res.headersSent && isForbidden(forbiddingOn(res)),
  };
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

import type { Cancellation } from "../../cancellation.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";

/** What is known of how an answer is made, besides the answer. */
export type Making = Readonly<{
  /** Whether those who make it know that nobody wants it any more: what they still give may be what they had by then. */
  isOver: () => boolean;
  /** Whether it was said on the client's response, where no answer tells it, for whom the answer is. */
  isForOne: () => boolean;
}>;

/** A service answers as a whole, or breaks off. */
export const madeByService: Making = { isOver: () => false, isForOne: () => false };

/** Follows handlers at work: they answer somehow, also once their call has ended, and may set headers on the response itself. */
export function watchHandlers(exchange: MatchedExchange, { onCancel }: Pick<Cancellation, "onCancel">): Making {
  let hasEnded = false;
  onCancel(() => (hasEnded = true));
  const before = headersOn(exchange);
  return { isOver: () => hasEnded || exchange.context.res.destroyed, isForOne: () => headersOn(exchange) !== before };
}

/** What stands on the response of a client, besides an answer that has been written to it. */
function headersOn({ keptHead, context: { res } }: MatchedExchange): string {
  return String(Object.entries(keptHead?.headers ?? res.getHeaders()));
}

import type { MatchedExchange } from "./matched-exchange.ts";
import { takeBackHeaders } from "./restore-headers.ts";

/**
 * Lets the answer to a request tell something in headers, whatever the answer will be; a request that leaves the gateway
 * takes nothing of it along. Node writes a head much faster where no header was set before.
 */
export function tellOnAnswer(exchange: MatchedExchange, headers: Readonly<Record<string, string>>): void {
  exchange.told = exchange.told === undefined ? headers : { ...exchange.told, ...headers };
  if (exchange.isSeen) showTold(exchange);
}

/** Sets on the response what its answer is to tell: from here on other code may see the response, or answer. */
export function showTold(exchange: MatchedExchange): void {
  const { told, restore } = exchange;
  const { res } = exchange.context;
  exchange.told = undefined;
  // A store that takes its time may be overtaken by the end of the exchange.
  if (told === undefined || res.headersSent) return;
  const before: Record<string, ReturnType<typeof res.getHeader>> = {};
  for (const [name, value] of Object.entries(told)) {
    before[name] = res.getHeader(name);
    res.setHeader(name, value);
  }
  exchange.restore = function restoreAll() {
    restore();
    takeBackHeaders(res, { before, after: told });
  };
}

import { ConfiguredRefusal, type GatewayError } from "../../errors.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { takeBackHeaders } from "../../exchange/restore-headers.ts";
import type { Quota, Store, Taken } from "../../stores/store.ts";

/** What one limit allows, and what is answered beyond it. */
export type LimiterSettings = Readonly<{
  /** Whose counts these are. */
  group: string;
  quota: Quota;
  text: string;
  status: number;
  showsHeaders: boolean;
  /** Whether answers to requests that pass tell this limit. */
  showsPasses: boolean;
}>;

type Verdict = GatewayError | undefined;

/** Counts requests of clients, and refuses those that are too many. */
export type Limiter = Readonly<{
  count: (exchange: MatchedExchange, client: string) => Verdict | Promise<Verdict>;
  /** Refuses, and counts, only where nothing is left. */
  countIfUsedUp: (exchange: MatchedExchange, client: string) => Verdict | Promise<Verdict>;
}>;

/** Makes the limiter of one limit. */
export function createLimiter(settings: LimiterSettings, store: Store): Limiter {
  const { group, quota, text, status, showsHeaders, showsPasses } = settings;
  return { count, countIfUsedUp };

  function count(exchange: MatchedExchange, client: string): Verdict | Promise<Verdict> {
    const taken = store.take({ group, client, quota, amount: 1 });
    return taken instanceof Promise ? taken.then((late) => judge(exchange, late)) : judge(exchange, taken);
  }

  function countIfUsedUp(exchange: MatchedExchange, client: string): Verdict | Promise<Verdict> {
    const found = store.take({ group, client, quota, amount: 0 });
    const goOn = ({ remaining }: Taken) => (remaining > 0 ? undefined : count(exchange, client));
    return found instanceof Promise ? found.then(goOn) : goOn(found);
  }

  function judge(exchange: MatchedExchange, taken: Taken): Verdict {
    const { refusedFor } = taken;
    if (refusedFor === undefined) {
      if (showsHeaders && showsPasses) showOnAnswer(exchange, headersOf(quota, taken));
      return undefined;
    }
    const retryAfter = String(Math.max(1, Math.ceil(refusedFor / 1_000)));
    const headers = showsHeaders ? { ...headersOf(quota, taken), "Retry-After": retryAfter } : {};
    return new ConfiguredRefusal("rate-limited", "The client has sent too many requests.", { status, text, headers });
  }
}

/** The headers by which answers tell a limit. */
export const limitHeaders = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

function headersOf({ limit }: Quota, { remaining, resetsIn }: Taken): Readonly<Record<string, string>> {
  const reset = new Date(Date.now() + resetsIn).toISOString();
  return { "X-RateLimit-Limit": String(limit), "X-RateLimit-Remaining": String(remaining), "X-RateLimit-Reset": reset };
}

/** Whatever becomes of the request, its answer tells the limit; unless it leaves the gateway. */
function showOnAnswer(exchange: MatchedExchange, headers: Readonly<Record<string, string>>): void {
  const { res } = exchange.context;
  // A store that takes its time may be overtaken by the end of the exchange.
  if (res.headersSent) return;
  const before = Object.fromEntries(limitHeaders.map((name) => [name, res.getHeader(name)]));
  for (const [name, text] of Object.entries(headers)) res.setHeader(name, text);
  const { restore } = exchange;
  exchange.restore = function restoreAll() {
    restore();
    takeBackHeaders(res, { before, after: headers });
  };
}

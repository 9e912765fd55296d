import type { Taken } from "../../stores/store.ts";
import { formatInstant } from "./format-instant.ts";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { Limit } from "./name-of-counts.ts";

/** The headers by which answers tell a limit. */
export const limitHeaders = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

/** What they say. */
type LimitHeaders = Readonly<Record<(typeof limitHeaders)[number], string>>;

/** What the headers of an answer tell of a limit. */
export function headersOf({ quota: { limit } }: Limit, { remaining, resetsIn }: Taken): LimitHeaders {
  const reset = formatInstant(Date.now() + resetsIn);
  return { "X-RateLimit-Limit": String(limit), "X-RateLimit-Remaining": String(remaining), "X-RateLimit-Reset": reset };
}

const names = limitHeaders.map((name) => name.toLowerCase());

/** What a service tells of limits of its own is not what this gateway counts. */
export function dropLimitsOfService({ headers }: UpstreamResponse, { told, context: { res } }: MatchedExchange): void {
  if (told?.[limitHeaders[0]] === undefined && !res.hasHeader(names[0]!)) return;
  for (const name of names) if (headers[name] !== undefined) Reflect.deleteProperty(headers, name);
}

import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { FindClient } from "./who-is-counted.ts";
import type { LimitedClient } from "./limiter.ts";
import type { Limit } from "./name-of-counts.ts";

/** Whom a limit counts of those who ask; undefined where it counts nobody. */
export type FindCounted = (exchange: MatchedExchange) => LimitedClient | undefined;

/** Counts all clients: the whitelist frees nobody from the second limit. */
export function countAll(limit: Limit, findClient: FindClient): FindCounted {
  return (exchange) => ({ limit, client: findClient(exchange).name });
}

/** Counts all clients but those of the whitelist. */
export function countUnlessFree(limit: Limit, findClient: FindClient, whitelist: readonly string[]): FindCounted {
  const free = new Set(whitelist);
  return function findCounted(exchange) {
    const { id, name } = findClient(exchange);
    return id !== undefined && free.has(id) ? undefined : { limit, client: name };
  };
}

import { ConfiguredRefusal, GatewayError, OverloadError } from "../../errors.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { tellOnAnswer } from "../../exchange/headers-on-any-answer.ts";
import type { Taken, Taking } from "../../stores/store.ts";
import { isPromise } from "../../when-rejected.ts";
import type { CountRequests } from "./count-while-store-is-away.ts";
import { headersOf } from "./limit-headers.ts";
import type { Limit } from "./name-of-counts.ts";

/** A client, as one limit counts it. */
export type LimitedClient = Readonly<{ limit: Limit; client: string }>;

type Verdict = GatewayError | undefined;
type Judgement = Verdict | Promise<Verdict>;

/** Counts requests of clients, and refuses those that are too many. */
export type Limiter = Readonly<{
  /** Counts in one limit after the other, up to the first that refuses. */
  count: (exchange: MatchedExchange, clients: readonly LimitedClient[]) => Judgement;
  /** Refuses, and counts, only where nothing is left; else tells how much is. */
  countIfUsedUp: (exchange: MatchedExchange, client: LimitedClient) => Verdict | number | Promise<Verdict | number>;
}>;

const unavailableSeconds = "1";

/** Makes the limiter that counts by a function. */
export function createLimiter(countRequests: CountRequests): Limiter {
  return { count, countIfUsedUp };

  function count(exchange: MatchedExchange, clients: readonly LimitedClient[]): Judgement {
    const taken = countRequests(clients.map((client) => takingOf(client, 1)));
    return isPromise(taken) ? taken.then((late) => judge(exchange, clients, late)) : judge(exchange, clients, taken);
  }

  function countIfUsedUp(exchange: MatchedExchange, client: LimitedClient): ReturnType<Limiter["countIfUsedUp"]> {
    const found = countRequests([takingOf(client, 0)]);
    return isPromise(found) ? found.then(goOn) : goOn(found);

    function goOn(looked: readonly Taken[] | undefined): Judgement | number {
      const only = looked?.[0];
      if (only === undefined || only.refusedFor !== undefined) return judge(exchange, [client], looked);
      return only.remaining > 0 ? only.remaining : count(exchange, [client]);
    }
  }
}

function takingOf({ limit: { route, group, quota }, client }: LimitedClient, amount: Taking["amount"]): Taking {
  return { route, group, client, quota, amount };
}

function judge(
  exchange: MatchedExchange,
  clients: readonly LimitedClient[],
  taken: readonly Taken[] | undefined,
): Verdict {
  if (taken === undefined) return unavailable();
  for (const [index, found] of taken.entries()) {
    const { limit } = clients[index]!;
    if (found.refusedFor !== undefined) return refuse(limit, found, found.refusedFor);
    if (limit.showsHeaders && limit.showsPasses) tellOnAnswer(exchange, headersOf(limit, found));
  }
  return undefined;
}

function refuse(limit: Limit, taken: Taken, refusedFor: number): GatewayError {
  const { status, text, showsHeaders } = limit;
  const retryAfter = String(Math.max(1, Math.ceil(refusedFor / 1_000)));
  const headers = showsHeaders ? { ...headersOf(limit, taken), "Retry-After": retryAfter } : {};
  return new ConfiguredRefusal("rate-limited", "The client has sent too many requests.", { status, text, headers });
}

function unavailable(): GatewayError {
  return new OverloadError("limit-unavailable", "Nobody can tell at the moment whether there were too many requests.", {
    headers: { "Retry-After": unavailableSeconds },
  });
}

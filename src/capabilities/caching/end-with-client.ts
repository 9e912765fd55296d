import type { UpstreamResponse } from "../../delegating-handler.ts";
import type { FetchAnswer, FetchCall, Landed } from "./fetch-answer.ts";
import type { Flight } from "./wait-for-one-call.ts";

/**
 * Prepares calls that end with the client that began them: handlers hold its request and its response, and what middleware
 * gives back at their end is gone by then, or belongs to somebody else. Those who wait then ask for themselves.
 */
export function createFetchForClient(fetchAnswer: FetchAnswer) {
  return async function fetchForClient(call: FetchCall, { land }: Flight<Landed>): Promise<UpstreamResponse> {
    const { exchange } = call.asked;
    let hasArrived = false;
    exchange.cancellation.onCancel(() => {
      // What has come as a whole while the client was there may still be on its way to the store.
      if (!hasArrived) land(undefined);
    });
    try {
      return await fetchAnswer(call, exchange, { arrive: () => void (hasArrived = true), land, end: nothing });
    } catch (error) {
      land(undefined);
      throw error;
    }
  };
}

function nothing(): void {
  // The call ends with the exchange.
}

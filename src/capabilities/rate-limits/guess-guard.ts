import { isPromise } from "../../when-rejected.ts";
import type { Guard } from "../capability.ts";
import type { FindClient } from "./who-is-counted.ts";
import type { Guesses } from "./guesses-under-way.ts";
import type { Limiter } from "./limiter.ts";
import type { Limit } from "./name-of-counts.ts";

type GuessGuardParts = Readonly<{ limiter: Limiter; limit: Limit; byAddress: FindClient; guesses: Guesses }>;

/**
 * Who guesses at credentials is counted by address, and refused before any scheme is asked; who is recognised is counted
 * by identity. Of those that guess at the same time no more get on than there is left: others wait for what comes of them.
 */
export function createGuessGuard({ limiter, limit, byAddress, guesses }: GuessGuardParts): Guard {
  return function limitUnrecognised(exchange) {
    const client = { limit, client: byAddress(exchange).name };
    const name = `${limit.group} ${client.client}`;
    let isOver = false;
    exchange.cancellation.onCancel(() => {
      isOver = true;
      const counted = exchange.hasGuessed ? limiter.count(exchange, [client]) : undefined;
      if (isPromise(counted)) void counted.finally(() => guesses.end(exchange)).catch(() => undefined);
      else guesses.end(exchange);
    });
    return judge();

    function judge(): ReturnType<Guard> {
      const left = limiter.countIfUsedUp(exchange, client);
      return isPromise(left) ? left.then(goOn) : goOn(left);
    }

    function goOn(left: Awaited<ReturnType<Limiter["countIfUsedUp"]>>): ReturnType<Guard> {
      if (typeof left !== "number") {
        guesses.end(exchange);
        return left;
      }
      if (isOver || guesses.begin(exchange, name, left)) return undefined;
      return guesses.wait(exchange, name).then(() => (isOver ? undefined : judge()));
    }
  };
}

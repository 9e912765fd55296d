import { isPromise } from "../../when-rejected.ts";
import type { GatewayError } from "../../errors.ts";
import type { Guess, MatchedExchange } from "../../exchange/matched-exchange.ts";
import { identityUnavailable } from "../../identity/unknown-in-time.ts";
import { after } from "../../unattended/guarded.ts";
import type { Guard } from "../capability.ts";
import type { FindClient } from "./who-is-counted.ts";
import type { Guesses } from "./guesses-under-way.ts";
import type { Limiter } from "./limiter.ts";
import type { Limit } from "./name-of-counts.ts";

type GuessGuardParts = Readonly<{
  limiter: Limiter;
  limit: Limit;
  byAddress: FindClient;
  guesses: Guesses;
  /** How long a request waits for others, and then for its own schemes; milliseconds. */
  longestWait: number;
}>;

/**
 * Who guesses at credentials is counted by address, and refused before any scheme is asked; who is recognised is counted
 * by identity. Of those that guess at the same time no more get on than there is left: others wait for what comes of them.
 * A client that leaves, or has waited for too long, takes nothing back: its guess is under way until the schemes have
 * answered, and counts then.
 */
export function createGuessGuard({ limiter, limit, byAddress, guesses, longestWait }: GuessGuardParts): Guard {
  return function limitUnrecognised(exchange) {
    const client = { limit, client: byAddress(exchange).name };
    const name = `${limit.group} ${client.client}`;
    let isOver = false;
    const guess: Guess = (exchange.guess = { isWrong: false, question: undefined, refusalInTime: undefined });
    exchange.cancellation.onCancel(() => {
      isOver = true;
      if (guess.question === undefined) conclude();
      else void guess.question.then(conclude);
    });
    return judge();

    function conclude(): void {
      const counted = guess.isWrong ? limiter.count(exchange, [client]) : undefined;
      if (isPromise(counted)) void counted.finally(() => guesses.end(exchange)).catch(() => undefined);
      else guesses.end(exchange);
    }

    function judge(): ReturnType<Guard> {
      const left = limiter.countIfUsedUp(exchange, client);
      return isPromise(left) ? left.then(goOn) : goOn(left);
    }

    function goOn(left: Awaited<ReturnType<Limiter["countIfUsedUp"]>>): ReturnType<Guard> {
      if (typeof left !== "number") {
        guesses.end(exchange);
        return left;
      }
      // Behind a promise nothing goes on for a client that has left: none of its guesses begins.
      if (isOver) return Promise.resolve(undefined);
      if (guesses.begin(exchange, name, left)) return undefined;
      const turn = guesses.wait(exchange, name).then(() => (isOver ? undefined : judge()));
      if (guess.refusalInTime !== undefined) return turn;
      guess.refusalInTime = refuseAfter(longestWait, exchange);
      return Promise.race([turn, guess.refusalInTime]);
    }
  };
}

/** Those before it may be kept by silent schemes, each as long as those may take: nobody waits for all of them. */
function refuseAfter(milliseconds: number, { cancellation }: MatchedExchange): Promise<GatewayError> {
  return new Promise((resolve) => {
    const timer = after(milliseconds, () => resolve(identityUnavailable()));
    cancellation.onCancel(() => clearTimeout(timer));
  });
}

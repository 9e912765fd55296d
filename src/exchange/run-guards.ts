import type { Guard } from "../capabilities/capability.ts";
import type { MatchedExchange } from "./matched-exchange.ts";

type Outcome = Readonly<{ pass: () => void; fail: (error: unknown) => void }>;

/** Asks guards in turn. An exchange that is over when a slow guard answers goes no further. */
export function runGuards(guards: readonly Guard[], exchange: MatchedExchange, outcome: Outcome): void {
  for (let index = 0; index < guards.length; index += 1) {
    const refusal = guards[index]!(exchange);
    if (refusal instanceof Promise) {
      goOnBehind(refusal, { guards: guards.slice(index + 1), exchange, outcome });
      return;
    }
    if (refusal !== undefined) {
      outcome.fail(refusal);
      return;
    }
  }
  outcome.pass();
}

type Rest = Readonly<{ guards: readonly Guard[]; exchange: MatchedExchange; outcome: Outcome }>;

/** Asks the other guards once a slow one has answered. */
function goOnBehind(slow: Promise<unknown>, { guards, exchange, outcome }: Rest): void {
  let isOver = false;
  exchange.cancellation.onCancel(() => (isOver = true));
  slow.then(goOn).catch(outcome.fail);

  function goOn(refusal: unknown): void {
    if (isOver) return;
    if (refusal === undefined) runGuards(guards, exchange, outcome);
    else outcome.fail(refusal);
  }
}

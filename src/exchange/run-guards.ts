import type { Guard } from "../capabilities/capability.ts";
import type { MatchedExchange } from "./matched-exchange.ts";

type Outcome = Readonly<{ pass: () => void; fail: (error: unknown) => void }>;

/** Asks guards in turn. An exchange that is over when a slow guard answers goes no further. */
export function runGuards(guards: readonly Guard[], exchange: MatchedExchange, { pass, fail }: Outcome): void {
  let isOver = false;
  let isWatched = false;
  askFrom(0);

  function askFrom(first: number): void {
    for (let index = first; index < guards.length; index += 1) {
      const refusal = guards[index]!(exchange);
      if (refusal instanceof Promise) {
        watchEnd();
        refusal.then((late) => goOn(late, index + 1)).catch(fail);
        return;
      }
      if (refusal !== undefined) {
        fail(refusal);
        return;
      }
    }
    pass();
  }

  function goOn(refusal: unknown, next: number): void {
    if (isOver) return;
    if (refusal === undefined) askFrom(next);
    else fail(refusal);
  }

  function watchEnd(): void {
    if (isWatched) return;
    isWatched = true;
    exchange.cancellation.onCancel(() => (isOver = true));
  }
}

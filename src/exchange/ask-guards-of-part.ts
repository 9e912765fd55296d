import type { Guard } from "../capabilities/capability.ts";
import type { Exchange } from "./exchange.ts";
import { watchSecondReading } from "./refuse-second-reading.ts";
import { runGuards } from "./run-guards.ts";

/** Why a part lets somebody not in: a refusal, or what a guard has failed with. */
export type Refusal = Readonly<{ reason: unknown }>;

/** Asks the guards of a part, of which schemes may read the body, for one of its calls. */
export function askGuards(guards: readonly Guard[], call: Exchange): Promise<Refusal | undefined> {
  return new Promise((resolve) => {
    const reading = watchSecondReading(call.context.req, fail);
    call.cancellation.onCancel(reading.end);
    runGuards(guards, call, { pass: () => end(undefined), fail });

    function fail(reason: unknown): void {
      end({ reason });
    }

    function end(refusal: Refusal | undefined): void {
      reading.end();
      resolve(refusal);
    }
  });
}

import type { ClientRequest, InformationEvent } from "node:http";
import { listen } from "./unattended/guarded.ts";
import type { EngineFailure } from "./forwarding/engines/engine.ts";
import { countWithinSecond, type TallyOfSecond } from "./count-within-second.ts";
import { tellsOfBytes } from "./headers/tells-of-bytes.ts";
import { mayLackAnswerFields } from "./headers/too-many-fields.ts";
import { illFormedAnswer } from "./ill-formed-answer.ts";
import { type Hearing, unheard } from "./unheard-bytes.ts";

const most = 32;

/** How many interim answers to a request have come. */
export type InterimTally = TallyOfSecond;

/**
 * Counts an interim answer; gives a failure where it cannot be passed over. Where one tells of a body, parsers would read that
 * as the answer, and the answer as that to the next request. Where too many come within a second, nothing holds them back, and
 * each takes the process some time; services that tell how far an upload has come send a few in a second.
 */
export function countInterim(
  tally: InterimTally,
  headers: Readonly<Record<string, unknown>>,
): EngineFailure | undefined {
  if (tellsOfBytes(headers)) return illFormedAnswer("An interim answer tells of a body.");
  return countWithinSecond(tally) > most
    ? illFormedAnswer(`More than ${most} interim answers within a second.`)
    : undefined;
}

/** Ends a request of node:http with an interim answer that cannot be passed over. */
export function limitInterims(request: ClientRequest, fail: (failure: EngineFailure) => void): void {
  let tally: InterimTally | undefined;
  listen(request, "information", ({ headers, rawHeaders }: InformationEvent) => {
    // Those that came with the ones before are parsed to their end.
    if (request.destroyed) return;
    (request as Hearing)[unheard] = 0;
    const failure = mayLackAnswerFields(rawHeaders)
      ? illFormedAnswer("An interim answer has as many header fields as are read, or more.")
      : countInterim((tally ??= { count: 0, since: performance.now() }), headers);
    if (failure === undefined) return;
    // An answer may stand right behind them.
    fail(failure);
    request.destroy(failure);
  });
}

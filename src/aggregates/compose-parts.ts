import type { UpstreamResponse } from "../delegating-handler.ts";
import { composeAnswer, type OpenedValue } from "./compose-answer.ts";
import { formatStatuses } from "./aggregate-status-header.ts";
import { endsAggregate, statusOfFailure } from "./failures-that-end-aggregate.ts";
import { openMember } from "./part-body-as-json.ts";
import type { PartCall } from "./part-call.ts";
import { partFailed } from "./part-errors.ts";
import type { AskedPart, Settled } from "./make-call.ts";

/** The JSON of one answer, and the status that is told of it. */
type Opened = Readonly<{ call: PartCall; value: OpenedValue; status: number }>;

/** Makes the whole of the answers of all parts; throws what the first part fails with that may not be left out. */
export function composeParts(asked: readonly AskedPart[], replacesFailures: boolean): UpstreamResponse {
  const opened = asked.map(({ settled }) => settled.map((one) => open(one, replacesFailures)));
  const statuses = opened.flat().map(({ call: { key }, status }) => ({ key, status }));
  const members = asked.map(({ key, isList }, index) => ({
    key,
    isList,
    values: opened[index]!.map(({ value }) => value),
  }));
  return composeAnswer(members, formatStatuses(statuses));
}

function open(settled: Settled, replacesFailures: boolean): Opened {
  const { call } = settled;
  try {
    if (settled.answer === undefined) throw settled.reason;
    return { call, value: openMember(settled.answer, call), status: settled.answer.status };
  } catch (reason) {
    const status = statusOfFailure(reason);
    if (!replacesFailures || endsAggregate(status)) throw partFailed(call.key, reason);
    call.logLeftOut(reason);
    call.cancel(new Error("The answer of the part is left out."));
    return { call, value: undefined, status };
  }
}

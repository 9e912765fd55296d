import type { Headers, UpstreamResponse } from "../../delegating-handler.ts";
import { UpstreamError } from "../../errors.ts";
import type { SendOn } from "../capability.ts";
import type { FetchCall } from "./fetch-answer.ts";
import type { Freshness } from "./freshness.ts";
import { type Kept, toAnswer, toldAge } from "./kept-answer.ts";
import { refreshedHeaders } from "./refreshed-headers.ts";

/**
 * Makes a call that asks only whether a kept answer still holds: where the service says so, it is the answer, with what the
 * service says of it now; where the service fails, it is better than nothing for as long as it says so itself.
 */
export function revalidating(call: FetchCall, freshness: Freshness): FetchCall {
  const { kept } = call.place;
  if (kept === undefined) return call;
  const { asked } = call;
  const validators = Object.entries(freshness.validatorsOf(kept.head));
  for (const [name, value] of validators) asked.outgoing.headers[name] = value;
  const outcome = { ...call.outcome };
  return { ...call, outcome, send: sendAndCompare };

  async function sendAndCompare(asker: Parameters<SendOn>[0]): Promise<UpstreamResponse> {
    const answer = await sendOrSurvive(asker);
    if (answer.status === notModified && validators.length > 0)
      return replace(answer, refreshed(kept!, answer.headers));
    return answer.status >= lowestFailure && freshness.survivesErrors(kept!.head) ? replace(answer, kept!) : answer;
  }

  async function sendOrSurvive(asker: Parameters<SendOn>[0]): Promise<UpstreamResponse> {
    try {
      return await call.send(asker);
    } catch (error) {
      if (error instanceof UpstreamError && freshness.survivesErrors(kept!.head)) return toAnswer(kept!, asked.isHead);
      throw error;
    }
  }

  function replace(answer: UpstreamResponse, by: Kept): UpstreamResponse {
    // Nobody reads what has come instead.
    answer.body = null;
    Object.assign(outcome, { fwdStatus: answer.status });
    return toAnswer(by, asked.isHead);
  }
}

const notModified = 304;
const lowestFailure = 500;

/** The answer as the service describes it now. */
function refreshed({ head, body }: Kept, told: Headers): Kept {
  const headers = refreshedHeaders(head.headers, told);
  return { head: { ...head, headers, keptAt: Date.now(), age: toldAge(told) }, body };
}

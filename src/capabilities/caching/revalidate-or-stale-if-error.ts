import type { Headers, UpstreamResponse } from "../../delegating-handler.ts";
import { OverloadError, UpstreamError } from "../../errors.ts";
import type { SendOn } from "../capability.ts";
import type { Miss } from "./cache-status.ts";
import { confirmsKept } from "./confirms-kept.ts";
import type { FetchCall } from "./fetch-answer.ts";
import type { Freshness } from "./freshness.ts";
import { type Kept, toAnswer, toldAge } from "./kept-answer.ts";
import { refreshedHeaders } from "./refreshed-headers.ts";

/**
 * Makes a call that asks only whether a kept answer still holds: where the service says so, it is the answer, with what the
 * service says of it now; where it says so of another one, the whole answer is asked for; where the service fails, it is
 * better than nothing for as long as it says so itself.
 */
export function revalidating(call: FetchCall, freshness: Freshness, hasCodeBehind: boolean): FetchCall {
  const { kept } = call.place;
  if (kept === undefined) return call;
  const { asked } = call;
  const validators = Object.entries(freshness.validatorsOf(kept.head));
  for (const [name, value] of validators) asked.outgoing.headers[name] = value;
  const outcome = { ...call.outcome };
  return { ...call, outcome, send: sendAndCompare };

  async function sendAndCompare(asker: Parameters<SendOn>[0]): Promise<UpstreamResponse> {
    const answer = await sendOrSurvive(asker);
    if (answer.status !== notModified || validators.length === 0) return unlessFailed(answer);
    // Handlers are shown what the client asked for on a condition, and may ask so, or answer by it.
    const isAboutKept = !hasCodeBehind || call.conditions === undefined;
    if (confirmsKept(answer.headers, kept!.head.headers, isAboutKept))
      return replace(answer, refreshed(kept!, answer.headers));
    answer.body = null;
    for (const [name] of validators) Reflect.deleteProperty(asked.outgoing.headers, name);
    return unlessFailed(await sendOrSurvive(asker));
  }

  function unlessFailed(answer: UpstreamResponse): UpstreamResponse {
    if (answer.status < lowestFailure || !freshness.survivesErrors(kept!.head)) return answer;
    return replace(answer, keptForFailure());
  }

  async function sendOrSurvive(asker: Parameters<SendOn>[0]): Promise<UpstreamResponse> {
    try {
      return await call.send(asker);
    } catch (error) {
      if (!isFailureOfService(error) || !freshness.survivesErrors(kept!.head)) throw error;
      return toAnswer(keptForFailure(), asked.isHead);
    }
  }

  function keptForFailure(): Kept {
    note({ isForFailure: true });
    return kept!;
  }

  function replace(answer: UpstreamResponse, by: Kept): UpstreamResponse {
    // Nobody reads what has come instead.
    answer.body = null;
    note({ fwdStatus: answer.status });
    return toAnswer(by, asked.isHead);
  }

  /** Adds to the outcome of this call, which is read only once its answer is there: whether to keep it, and what to tell. */
  function note(more: Pick<Miss, "isForFailure"> | Pick<Miss, "fwdStatus">): void {
    Object.assign(outcome, more);
  }
}

/** A service that is left alone, or whose hosts nobody knows, fails as one that is asked does. */
function isFailureOfService(error: unknown): boolean {
  return error instanceof UpstreamError || error instanceof OverloadError;
}

const notModified = 304;
const lowestFailure = 500;

/** The answer as the service describes it now. */
function refreshed({ head, body }: Kept, told: Headers): Kept {
  const headers = refreshedHeaders(head.headers, told);
  return { head: { ...head, headers, keptAt: Date.now(), age: toldAge(told) }, body };
}

import { returnBody } from "../answers/same-meaning-body.ts";
import { createMarkRemover } from "../bodies/byte-order-mark.ts";
import { undoCoding } from "../bodies/undo-coding.ts";
import { createWholeBody } from "../bodies/whole-body.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { someAtATime } from "../some-at-a-time.ts";
import { findTexts, readDocument } from "./values-in-first-answer.ts";
import type { AggregateTerms, PartCall, PartCalls } from "./part-call.ts";
import { partIllFormed } from "./part-errors.ts";
import { readPartBody } from "./read-part-body.ts";
import type { AskedPart, MakeCall, Settled } from "./make-call.ts";
import { refuseTooManyCalls } from "./too-many-calls-by-values.ts";

const mostBytes = 1024 * 1024;
const atATime = 16;

/** The values of a part's placeholder; undefined for a part that is asked without any. */
type PlannedPart = Readonly<{ place: number; key: string; texts: readonly string[] | undefined }>;

/** What the first part has answered, and the document in it; undefined where it has failed. */
type First = Readonly<{ settled: Settled; found: Readonly<{ document: unknown }> | undefined }>;

/**
 * Asks the first part, and the others once for each value that its answer holds for them. Where there is nothing else to
 * ask, the first answer is the whole.
 */
export async function askByValues(
  calls: PartCalls,
  terms: AggregateTerms,
  makeCall: MakeCall,
): Promise<AskedPart[] | UpstreamResponse> {
  const first = await askFirst(calls.known[0]!, makeCall);
  const planned = await plan(first, terms);
  if (planned.length === 0 && first.settled.answer !== undefined) return first.settled.answer;
  const parts = await admitAll(planned, calls, terms);
  const settled = await someAtATime(
    parts.flatMap((part) => part.calls),
    atATime,
    makeCall,
  );
  const others = parts.map(({ key, calls: own }) => {
    return { key, isList: own.length > 1, settled: settled.filter(({ call }) => own.includes(call)) };
  });
  return [{ key: first.settled.call.key, settled: [first.settled], isList: false }, ...others];
}

async function askFirst(call: PartCall, makeCall: MakeCall): Promise<First> {
  const settled = await makeCall(call);
  if (settled.answer === undefined) return { settled, found: undefined };
  try {
    return { settled, found: await readFirst(settled.answer, call) };
  } catch (reason) {
    call.cancel(new Error("The answer of the part cannot be used."));
    return { settled: { call, answer: undefined, reason }, found: undefined };
  }
}

async function readFirst(answer: UpstreamResponse, call: PartCall): Promise<Readonly<{ document: unknown }>> {
  const bytes = await readPartBody(answer.body, call, { mostBytes });
  const plain = bytes && (await undoCoding(bytes, answer.headers["content-encoding"], { mostBytes }));
  const found = plain && (await readDocument(createMarkRemover()(plain)));
  if (bytes === undefined || found === undefined) {
    throw partIllFormed(
      call.key,
      `is no JSON of up to ${mostBytes} bytes, in which values for the other parts could be found`,
    );
  }
  returnBody(answer, createWholeBody(bytes));
  return found;
}

/** Which parts are asked, and for which values. */
async function plan({ found }: First, { parts, mostCalls }: AggregateTerms): Promise<readonly PlannedPart[]> {
  const planned: PlannedPart[] = [];
  for (const [place, { key, source }] of parts.entries()) {
    const nothing = source === undefined ? undefined : [];
    const texts = source === undefined || found === undefined ? nothing : await findTexts(found.document, source.find);
    planned.push({ place, key, texts });
  }
  const count = planned.reduce((sum, { texts = [] }) => sum + texts.length, 0);
  refuseTooManyCalls(count, mostCalls);
  return planned.slice(1).filter(({ texts }) => texts === undefined || texts.length > 0);
}

/** Lets the client in to all calls, one after the other, before any of them is sent. */
async function admitAll(
  planned: readonly PlannedPart[],
  { known, admit }: PartCalls,
  { parts }: AggregateTerms,
): Promise<readonly Readonly<{ key: string; calls: readonly PartCall[] }>[]> {
  const admitted: { key: string; calls: PartCall[] }[] = [];
  for (const { place, key, texts } of planned) {
    const part = { key, calls: texts === undefined ? [known[place]!] : [] };
    admitted.push(part);
    const placeholder = parts[place]!.source?.placeholder ?? "";
    for (const text of texts ?? []) part.calls.push(await admit(place, { [placeholder]: text }));
  }
  return admitted;
}

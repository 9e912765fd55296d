import { returnBody } from "../answers/same-meaning-body.ts";
import { type AnyResponse, takeWhole } from "../answers/upstream-response.ts";
import { createMarkRemover } from "../bodies/parsed/byte-order-mark.ts";
import { gatherUpTo } from "../bodies/pieces/gather-up-to.ts";
import { unreadBody } from "../bodies/with-code/body-to-read.ts";
import { createStreamBody } from "../bodies/stream-body.ts";
import { undoCoding } from "../bodies/codings/undo-coding.ts";
import { createWholeBody } from "../bodies/whole-body.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { someAtATime } from "../some-at-a-time.ts";
import { createFindTexts, type FindTexts, type FoundTexts } from "./values-in-first-answer.ts";
import type { AggregateTerms, PartCall, PartCalls } from "./part-call.ts";
import { piecesInTime } from "./part-body-in-time.ts";
import { holdWhole } from "./held-blocks.ts";
import { partIllFormed } from "./part-errors.ts";
import type { HeldBytes } from "./room-for-bodies.ts";
import type { AskedPart, MakeCall, Settled } from "./make-call.ts";
import { refuseTooManyCalls } from "./too-many-calls-by-values.ts";

const mostBytes = 1024 * 1024;
const shortFirst = 65_536;
const atATime = 16;

/** The values of a part's placeholder; undefined for a part that is asked without any. */
type PlannedPart = Readonly<{ place: number; key: string; texts: readonly string[] | undefined }>;

/** What the first part has answered, and what the paths of the others find in it; undefined where it has failed. */
type First = Readonly<{ settled: Settled; found: FoundTexts | undefined }>;

/** Asks the parts of an aggregate for one request. */
type AskByValues = (calls: PartCalls, makeCall: MakeCall, held: HeldBytes) => Promise<AskedPart[] | UpstreamResponse>;

/**
 * Prepares the asking of the first part, and of the others once for each value that its answer holds for them. Where there
 * is nothing else to ask, the first answer is the whole.
 */
export function createAskByValues(terms: AggregateTerms): AskByValues {
  const findTexts = createFindTexts();
  return (calls, makeCall, held) => askByValues(calls, { ...terms, findTexts, held }, makeCall);
}

type Terms = AggregateTerms & Readonly<{ findTexts: FindTexts; held: HeldBytes }>;

async function askByValues(calls: PartCalls, terms: Terms, makeCall: MakeCall): ReturnType<AskByValues> {
  const first = await askFirst(calls.known[0]!, terms, makeCall);
  const planned = plan(first, terms);
  const { answer } = first.settled;
  if (planned.length === 0 && answer !== undefined) return answer;
  if (answer !== undefined) holdFirst(answer, terms.held);
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

async function askFirst(call: PartCall, terms: Terms, makeCall: MakeCall): Promise<First> {
  const settled = await makeCall(call);
  if (settled.answer === undefined) return { settled, found: undefined };
  try {
    return { settled, found: await readFirst(settled.answer, call, terms) };
  } catch (reason) {
    call.cancel(new Error("The answer of the part cannot be used."));
    return { settled: { call, answer: undefined, reason }, found: undefined };
  }
}

async function readFirst(answer: UpstreamResponse, call: PartCall, { parts, findTexts }: Terms): Promise<FoundTexts> {
  const finds = parts.flatMap(({ source }) => (source === undefined ? [] : [source.find]));
  const bytes = await gatherUpTo(piecesInTime(unreadBody(answer), call), { mostBytes });
  const plain = bytes && (await undoCoding(bytes, answer.headers["content-encoding"], { mostBytes }));
  const found = plain && (await findTexts(createMarkRemover()(plain), finds));
  if (bytes === undefined || found === undefined) {
    throw partIllFormed(
      call.key,
      `is no JSON of up to ${mostBytes} bytes, in which values for the other parts could be found`,
    );
  }
  returnBody(answer, createWholeBody(bytes));
  return found;
}

/** While the others are asked, and for as long as its client takes, a long first answer is held as theirs are. */
function holdFirst(answer: AnyResponse, held: HeldBytes): void {
  const bytes = answer[takeWhole]?.();
  if (bytes === undefined) return;
  const body = bytes.length > shortFirst ? createStreamBody(holdWhole(bytes, held)) : createWholeBody(bytes);
  returnBody(answer, body);
}

/** Which parts are asked, and for which values. */
function plan({ found = [] }: First, { parts, mostCalls }: AggregateTerms): readonly PlannedPart[] {
  const ofSources = found.values();
  const planned = parts.map(({ key, source }, place) => {
    const texts = source === undefined ? undefined : (ofSources.next().value ?? []);
    return { place, key, texts };
  });
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

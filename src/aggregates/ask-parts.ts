import type { GatewayContext, UpstreamResponse } from "../delegating-handler.ts";
import { aheadOfAggregator, askAggregator } from "./ask-aggregator.ts";
import { createAskByValues } from "./ask-by-values.ts";
import { composeParts } from "./compose-parts.ts";
import type { AggregateTerms, PartCall, PartCalls } from "./part-call.ts";
import { type AheadBounds, type AskedPart, createMakeCall, type MakeCall } from "./make-call.ts";
import { roomForBodies } from "./room-for-bodies.ts";

/** Makes one answer of those of several parts. */
type AskParts = (calls: PartCalls, context: GatewayContext) => Promise<UpstreamResponse>;

// What is longer streams, and has its connection until then.
const shortBodies: AheadBounds = { mostBytes: 1024 * 1024, mostTogether: 16 * 1024 * 1024 };

/** Prepares how the parts of an aggregate are asked, and what becomes of their answers. */
export function createAskParts(terms: AggregateTerms): AskParts {
  const { parts, aggregator, replacesFailures } = terms;
  if (parts.length === 1) return ({ known: [only] }) => only!.send();
  const ahead = aggregator === undefined ? shortBodies : aheadOfAggregator;
  const askByValues = parts.some(({ source }) => source !== undefined) ? createAskByValues(terms) : undefined;

  return async function askParts(calls, context) {
    await calls.takeBody();
    const held = roomForBodies.begin(calls.whole, context.req.socket);
    const makeCall = createMakeCall(ahead, held);
    const asked =
      askByValues === undefined
        ? await askAll(calls.known as readonly PartCall[], makeCall)
        : await askByValues(calls, makeCall, held);
    // Its parts end with a request: they have not failed, and there is nobody to make a whole for.
    calls.throwEnd();
    if (!Array.isArray(asked)) return asked;
    if (aggregator !== undefined) return askAggregator(aggregator, asked, { context, held });
    held.answered();
    return composeParts(asked, replacesFailures);
  };
}

async function askAll(calls: readonly PartCall[], makeCall: MakeCall): Promise<AskedPart[]> {
  const settled = await Promise.all(calls.map(makeCall));
  return calls.map(({ key }, index) => ({ key, settled: [settled[index]!], isList: false }));
}

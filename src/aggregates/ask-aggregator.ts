import { isAnswer, noAnswer } from "../answers/is-answer.ts";
import { ownAnswer } from "../answers/own-answer.ts";
import type { AnyResponse } from "../answers/upstream-response.ts";
import { knownLength } from "../bodies/with-code/stream-for-gateway.ts";
import { createByteRoom } from "../bodies/pieces/byte-room.ts";
import { type BodyBound, gatherUpTo } from "../bodies/pieces/gather-up-to.ts";
import { unreadBody } from "../bodies/with-code/body-to-read.ts";
import { undoCoding } from "../bodies/codings/undo-coding.ts";
import type { GatewayContext, UpstreamResponse } from "../delegating-handler.ts";
import type { AggregatePart, Aggregator } from "./aggregator.ts";
import type { PartCall } from "./part-call.ts";
import { piecesInTime } from "./part-body-in-time.ts";
import { partIllFormed } from "./part-errors.ts";
import type { AheadBounds, AskedPart, Settled } from "./make-call.ts";
import type { HeldBytes } from "./room-for-bodies.ts";

const mostBytes = 10 * 1024 * 1024;
const mostTogether = 100 * 1024 * 1024;

/** All that an aggregator gets may be read before the last part answers. */
export const aheadOfAggregator: AheadBounds = { mostBytes, mostTogether };

/** Hands the answers of all parts to an aggregator of the user's. */
export async function askAggregator(
  aggregator: Aggregator,
  asked: readonly AskedPart[],
  { context, held }: Readonly<{ context: GatewayContext; held: HeldBytes }>,
): Promise<UpstreamResponse> {
  const room = createRoom(held);
  const parts = await Promise.all(asked.flatMap(({ settled }) => settled).map((settled) => toPart(settled, room)));
  held.throwRefusal();
  const answer: unknown = await aggregator(parts, context);
  if (isAnswer(answer)) {
    held.answered();
    // A stream may give what the parts have given for as long as it is read.
    held.shrinkTo((answer as AnyResponse)[knownLength] ?? Infinity);
    return ownAnswer(answer);
  }
  const code = `The aggregator of ${JSON.stringify(context.route.id)}`;
  throw noAnswer(code, answer, "return createAnswer({ status: 200, body: … }).");
}

type Room = BodyBound["room"];

/** The room of all that an aggregator gets for one request, within that of the process. */
function createRoom(held: HeldBytes): Room {
  const own = createByteRoom(mostTogether);
  return {
    take: (bytes) => own.take(bytes) && held.take(bytes),
    giveBack(bytes) {
      own.giveBack(bytes);
      held.giveBack(bytes);
    },
  };
}

async function toPart(settled: Settled, room: Room): Promise<AggregatePart> {
  const { call, answer } = settled;
  const { key, placeholders } = call;
  try {
    if (answer === undefined) throw settled.reason;
    return { key, status: answer.status, placeholders, ...(await readAnswer(answer, call, room)) };
  } catch (error) {
    call.cancel(new Error("The answer of the part cannot be used."));
    return { key, status: 0, headers: {}, body: Buffer.alloc(0), placeholders, error };
  }
}

async function readAnswer(
  answer: UpstreamResponse,
  call: PartCall,
  room: Room,
): Promise<Pick<AggregatePart, "headers" | "body">> {
  const headers = { ...answer.headers };
  // They speak of the bytes as they came.
  for (const name of ["content-encoding", "content-length"]) Reflect.deleteProperty(headers, name);
  const bound = { mostBytes, room };
  const bytes = await gatherUpTo(piecesInTime(unreadBody(answer), call), bound);
  const body = bytes && (await undoCoding(bytes, answer.headers["content-encoding"], bound));
  if (body !== undefined) return { headers, body };
  const bounds = `the ${mostBytes} bytes that an aggregator takes, or the ${mostTogether} of all parts`;
  throw partIllFormed(call.key, `is longer than ${bounds}, or is in a coding that cannot be undone`);
}

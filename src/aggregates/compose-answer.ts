import { Readable } from "node:stream";
import { createUpstreamResponse } from "../answers/upstream-response.ts";
import { createStreamBody } from "../bodies/stream-body.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import type { Pieces } from "./text-or-base64-parts.ts";

/** One member of the whole: the value of a part, or a list of values where a part was asked several times. */
type Member = Readonly<{ key: string; values: readonly OpenedValue[]; isList: boolean }>;

/** The JSON of one answer; undefined for `null`. */
export type OpenedValue = Pieces | undefined;

/** The answers of all parts as one object; it streams: of each body no more is read than the client takes. */
export function composeAnswer(members: readonly Member[], statuses: string): UpstreamResponse {
  const headers = {
    "content-type": "application/json",
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "aggregate-status": statuses,
  };
  const stream = Readable.from(inFewPieces(membersOf(members)), { objectMode: false });
  return createUpstreamResponse(
    { status: 200, statusText: "OK", headers },
    {
      body: createStreamBody(stream),
      declared: { length: undefined, status: 200, isHead: false },
      trailers: () => [],
    },
  );
}

async function* membersOf(members: readonly Member[]): AsyncIterable<string | Buffer> {
  yield "{";
  for (const [index, { key, values, isList }] of members.entries()) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(key)}:${isList ? "[" : ""}`;
    for (const [place, value] of values.entries()) {
      if (place > 0) yield ",";
      if (value === undefined) yield "null";
      else yield* value;
    }
    if (isList) yield "]";
  }
  yield "}";
}

/** What stands between the values goes with the next of them, so that a short answer leaves in few pieces. */
async function* inFewPieces(pieces: AsyncIterable<string | Buffer>): Pieces {
  let before = "";
  for await (const piece of pieces) {
    if (typeof piece === "string") before += piece;
    else {
      yield before === "" ? piece : Buffer.concat([Buffer.from(before), piece]);
      before = "";
    }
  }
  yield Buffer.from(before);
}

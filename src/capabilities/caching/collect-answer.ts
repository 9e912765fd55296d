import { requireBody } from "../../answers/require-body.ts";
import {
  type AnyResponse,
  createUpstreamResponse,
  lengthOf,
  takeBody,
  takeWhole,
  toldLength,
  trailers,
} from "../../answers/upstream-response.ts";
import { knownLength } from "../../bodies/with-code/stream-for-gateway.ts";
import type { AnswerBody } from "../../bodies/answer-body.ts";
import { createStreamBody } from "../../bodies/stream-body.ts";
import { createRepeatedBody } from "../../bodies/whole-body.ts";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import { joinPieces } from "./collected-pieces.ts";
import { shareBody, type Sharing } from "./share-answer-body.ts";

/** An answer for the client that asked for it, while its body is collected besides. */
export type Collected = Readonly<{
  answer: UpstreamResponse;
  /** Whether nothing speaks against its being kept, as far as its head tells. */
  isCollected: boolean;
  /** The client has no need of the body, or of any more of it, for a reason of which its readers are told. */
  leaveClient: (reason?: Error) => void;
}>;

/** Collects the body of an answer while it goes to its client. */
export function collectAnswer(upstream: UpstreamResponse, isHead: boolean, sharing: Sharing): Collected {
  const answer: AnyResponse = upstream;
  // An answer without a body is whole for everybody.
  if (lengthOf({ length: answer[knownLength], status: answer.status, isHead }) !== 0) requireBody(answer);
  const { collection, complete, incomplete } = sharing;
  const whole = isHead ? undefined : answer[takeWhole]?.();
  if (whole !== undefined) {
    const pieces = collection.add(whole) ? collection.take() : undefined;
    if (pieces !== undefined) complete(joinPieces(pieces));
    else incomplete();
    const forClient = withBody(answer, isHead, createRepeatedBody(whole));
    return { answer: forClient, isCollected: pieces !== undefined, leaveClient: nothing };
  }
  const length = answer[knownLength];
  const isCollected = isHead || collection.hasPlace(length ?? 1);
  if (!isCollected && collection.take() !== undefined) incomplete();
  const source = answer[takeBody]?.() ?? createStreamBody(answer.body);
  const { forClient, leaveClient } = shareBody(source, {
    ...sharing,
    complete: (bytes) => (length === undefined || bytes.length === length ? complete(bytes) : incomplete()),
  });
  return { answer: withBody(answer, isHead, forClient), isCollected, leaveClient };
}

/** The same answer with its bytes from somewhere else. */
function withBody(answer: AnyResponse, isHead: boolean, body: AnswerBody): UpstreamResponse {
  const { status, statusText, headers } = answer;
  const length = isHead ? answer[toldLength]?.(status, true) : answer[knownLength];
  const source = { body, declared: { length, status, isHead }, trailers: () => answer[trailers] ?? [] };
  return createUpstreamResponse({ status, statusText, headers }, source);
}

function nothing(): void {
  // All bytes are there already.
}

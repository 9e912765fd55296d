import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnswerBody } from "../../bodies/answer-body.ts";
import { endWith } from "../../bodies/responses/end-response.ts";
import { isFreshFromParser } from "../../bodies/freeing/fresh-from-parser.ts";
import { createStreamBody } from "../../bodies/stream-body.ts";
import { takeInFewPieces } from "../../bodies/pieces/take-in-few-pieces.ts";
import { breakOffWithoutLastChunk } from "../break-off-answer.ts";
import type { EngineAnswer } from "./engine.ts";

const codingName = "transfer-encoding";

function comesInChunks({ rawHeaders }: IncomingMessage): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === codingName.length && name.toLowerCase() === codingName) return true;
  }
  return false;
}

/** What the engine gives of an answer of node:http. */
export function createEngineAnswer(answer: IncomingMessage, keepsConnection = true): EngineAnswer {
  // A listener that is there already, such as that of Node's inspector, would set the answer flowing before its
  // destination is known.
  if (answer.readableFlowing === true) answer.pause();
  if (comesInChunks(answer)) {
    takeInFewPieces(answer);
    if (!keepsConnection) breakOffWithoutLastChunk(answer);
  }
  return {
    status: answer.statusCode ?? 0,
    statusText: answer.statusMessage ?? "",
    rawHeaders: answer.rawHeaders,
    // A stand-in for node:http may give more or fewer bytes than it says: such a body is measured.
    body: isFreshFromParser(answer) ? createMessageBody(answer) : answer,
    trailers: () => answer.rawTrailers,
  };
}

function createMessageBody(answer: IncomingMessage): AnswerBody {
  const body = createStreamBody(answer, { isOwn: true });
  return { ...body, takeWhole, writeTo };

  /** A short answer has often come in whole before it is asked for. */
  function takeWhole(): Buffer | undefined {
    if (!answer.complete || answer.destroyed || answer.readableLength === 0) return undefined;
    return (answer.read() as Buffer | null) ?? undefined;
  }

  function writeTo(res: ServerResponse): Promise<void> {
    const whole = res.closed ? undefined : takeWhole();
    return whole === undefined ? body.writeTo(res) : endWith(res, whole);
  }
}

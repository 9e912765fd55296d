import { Readable } from "node:stream";
import { readLength } from "../answers/answer-framing.ts";
import { createUpstreamResponse, lengthOf, type WritableResponse } from "../answers/upstream-response.ts";
import { adoptRefusedBody } from "../bodies/with-code/adopt-refused-body.ts";
import type { AnswerBody } from "../bodies/answer-body.ts";
import { brokenOff } from "../bodies/broken-off.ts";
import { createStreamBody } from "../bodies/stream-body.ts";
import { findForeignCoding, readAnswerHeaders } from "../headers/answer-headers.ts";
import { mayLackAnswerFields } from "../headers/too-many-fields.ts";
import { GatewayError } from "../errors.ts";
import type { EngineAnswer } from "./engines/engine.ts";
import { illFormedAnswer } from "../ill-formed-answer.ts";

const switchingProtocols = 101;
// Those below are of no answer, or of one that another has to follow.
const leastStatus = 200;

/** What was asked: by which method, and whether an upgrade is an answer. */
type Asked = Readonly<{ method: string; upgrades: boolean }>;

/** The answer of an engine as the gateway takes it; throws where nothing may come of it for a client. */
export function judgeAnswer(answer: EngineAnswer, { method, upgrades }: Asked): WritableResponse {
  const { status, statusText, rawHeaders, trailers } = answer;
  const headers = readAnswerHeaders(rawHeaders);
  const declared = { length: readLength(headers["content-length"]), status, isHead: method === "HEAD" };
  const body =
    answer.body instanceof Readable
      ? createStreamBody(answer.body, { toFailure: brokenOff, length: lengthOf(declared) })
      : requireAnswerBody(answer.body);
  // Node's parser takes any three digits, and 101 where nobody has asked for an upgrade.
  if (status < leastStatus && !(upgrades && status === switchingProtocols))
    throw refuse(body, `The answer's status is ${status}.`);
  const coding = findForeignCoding(rawHeaders);
  if (coding !== undefined) throw refuse(body, `The answer's Transfer-Encoding is ${JSON.stringify(coding)}.`);
  if (mayLackAnswerFields(rawHeaders)) throw refuse(body, "The answer has as many header fields as are read, or more.");
  return createUpstreamResponse({ status, statusText, headers }, { body, declared, trailers });
}

/** Engines of the package give bodies that write themselves; one of a user's may give anything. */
function requireAnswerBody(body: AnswerBody): AnswerBody {
  if (typeof (body as unknown) === "object" && (body as unknown) !== null && "writeTo" in body) return body;
  adoptRefusedBody(body);
  const kind = Object.prototype.toString.call(body);
  throw new GatewayError(
    "handler-misuse",
    `The engine has answered with a body that is ${kind}; expected a Readable of node:stream, such as Readable.from([…]).`,
  );
}

/** An answer that is not taken ends together with its connection. */
function refuse({ flow }: AnswerBody, message: string): Error {
  const reason = illFormedAnswer(message);
  flow.abort(reason);
  return reason;
}

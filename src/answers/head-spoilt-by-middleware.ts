import { ServerResponse } from "node:http";
import { isWrittenByNode } from "../bodies/responses/is-written-by-node.ts";
import { interceptSending } from "../bodies/responses/intercept-sending.ts";
import { measureResponse } from "../bodies/responses/response-of-told-length.ts";
import type { WrongLength } from "../bodies/body-of-told-length.ts";
import { isChunked } from "../bodies/request-framing.ts";
import type { AnswerFraming } from "./answer-framing.ts";

/** What Node keeps of a head that it has made, and whether a body follows it (seen in 20 to 24). */
type MadeHead = Readonly<{ _header?: unknown; _hasBody?: unknown }>;

/**
 * Whether a head delimits the answer behind it: it does, it does not, or it does if as many bytes follow as it tells, which
 * only somebody knows whose own `write` or `end` stands before Node's.
 */
type HeadVerdict = Readonly<{ isRight: boolean; toMeasure?: number }>;

/** What the gateway has told of an answer. */
type ToldHead = AnswerFraming & Readonly<{ status: number }>;

/** Node's own functions, by which nobody else has a say. */
const nodes = {
  writeHead: Reflect.get(ServerResponse.prototype, "writeHead"),
  setHeader: Reflect.get(ServerResponse.prototype, "setHeader"),
};

const right: HeadVerdict = { isRight: true };
const wrong: HeadVerdict = { isRight: false };

const statusAt = 9;
const lowestFinal = 200;
const noContent = 204;
const framingLines = /\r\n(content-length|transfer-encoding):[ \t]*([^\r\n]*)/gi;
const lengthLine = /\r\ncontent-length:/i;
const wholeNumber = /^\d{1,15}$/;

/**
 * Holds an answer to its head: middleware that listens for heads, as on-headers lets it, or that changes bodies could have
 * the next answer on the connection read as the rest of this one. Tells whether the head is right as far as it is made;
 * `onWrong` hears of what shows later, and has to cut the connection.
 */
export function holdToHead(
  res: ServerResponse,
  told: ToldHead,
  onWrong: (what: "head" | WrongLength) => void,
): boolean {
  // Most answers meet no such middleware, and reading a head takes microseconds.
  if (isWrittenByNode(res) && res.writeHead === nodes.writeHead && res.setHeader === nodes.setHeader) return true;
  const { _header: head } = res as MadeHead;
  if (typeof head === "string") return isHeld(head);
  // Middleware that changes bodies may keep the head back until it has all of one.
  whenHeadLeaves(res, (late) => {
    const isRight = late !== undefined && isHeld(late);
    if (!isRight) onWrong("head");
    return isRight;
  });
  return true;

  function isHeld(made: string): boolean {
    const { isRight, toMeasure } = judgeHead(res, made, told);
    if (toMeasure !== undefined) measureResponse(res, toMeasure, onWrong);
    return isRight;
  }
}

/** Whether the head that was made of an answer tells its length; Node keeps no list of what `writeHead` was given. */
export function tellsLength(res: ServerResponse): boolean {
  const { _header: head } = res as MadeHead;
  return typeof head === "string" ? lengthLine.test(head) : res.hasHeader("content-length");
}

/** Judges the head that Node has made, by its text: whoever came last had the last word about the headers. */
function judgeHead(res: ServerResponse, head: string, { hasBody, length, status }: ToldHead): HeadVerdict {
  const { _hasBody: bodyFollows } = res as MadeHead;
  const written = Number(head.slice(statusAt, statusAt + 3));
  if (written !== status && Math.min(written, status) < lowestFinal) return wrong;
  const lines = [...head.matchAll(framingLines)];
  // Some clients read what such an answer tells, though it has no body.
  if (written === noContent) return lines.length === 0 ? right : wrong;
  if (bodyFollows === false) return right;
  // Node closes the connection behind an answer that nothing else delimits.
  if (lines.length === 0) return right;
  const [[, name = "", value = ""] = []] = lines;
  if (lines.length > 1) return wrong;
  if (name.toLowerCase() === "transfer-encoding") return isChunked(value) ? right : wrong;
  if (!wholeNumber.test(value)) return wrong;
  if (!isWrittenByNode(res)) return { isRight: true, toMeasure: Number(value) };
  return Number(value) === (hasBody ? length : 0) ? right : wrong;
}

/** Shows the head to `mayLeave` right before it leaves; undefined where bytes leave without one. */
function whenHeadLeaves(res: ServerResponse, mayLeave: (head: string | undefined) => boolean): void {
  let isJudged = false;
  interceptSending(res, (piece) => {
    const { _header: head } = res as MadeHead;
    if (isJudged || (typeof head !== "string" && piece.length === 0)) return "send";
    isJudged = true;
    // A body that is to be measured is measured from this piece on.
    return mayLeave(typeof head === "string" ? head : undefined) ? "again" : "drop";
  });
}

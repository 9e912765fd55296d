import { ServerResponse } from "node:http";
import { isChunked } from "../bodies/request-framing.ts";
import type { AnswerFraming } from "./answer-framing.ts";

/** What Node keeps of a head that it has made, and whether a body follows it (seen in 20 to 24). */
type MadeHead = Readonly<{ _header?: unknown; _hasBody?: unknown }>;

/**
 * Whether a head delimits the answer behind it: it does, it does not, or it does if as many bytes follow as it tells, which
 * only somebody knows whose own `write` or `end` stands before Node's.
 */
export type HeadVerdict = Readonly<{ isRight: boolean; toMeasure?: number }>;

/** Node's own functions, by which nobody else has a say. */
const nodes = {
  writeHead: Reflect.get(ServerResponse.prototype, "writeHead"),
  setHeader: Reflect.get(ServerResponse.prototype, "setHeader"),
  write: Reflect.get(ServerResponse.prototype, "write"),
  end: Reflect.get(ServerResponse.prototype, "end"),
};

const right: HeadVerdict = { isRight: true };
const wrong: HeadVerdict = { isRight: false };

const statusAt = 9;
const lowestFinal = 200;
const framingLines = /\r\n(content-length|transfer-encoding):[ \t]*([^\r\n]*)/gi;
const wholeNumber = /^\d{1,15}$/;

/**
 * Judges the head that Node has made, by its text: middleware that listens for heads, as on-headers lets it, has the last
 * word about the headers, and could have the next answer on the connection read as the rest of this one.
 */
export function judgeHead(res: ServerResponse, { hasBody, length }: AnswerFraming, status: number): HeadVerdict {
  const isWrapped = res.write !== nodes.write || res.end !== nodes.end;
  // Most answers meet no such middleware, and reading a head takes microseconds.
  if (!isWrapped && res.writeHead === nodes.writeHead && res.setHeader === nodes.setHeader) return right;
  const { _header: head, _hasBody: bodyFollows } = res as MadeHead;
  // Middleware that changes bodies may keep the head back until it has all of one.
  if (typeof head !== "string") return right;
  const written = Number(head.slice(statusAt, statusAt + 3));
  if (written !== status && Math.min(written, status) < lowestFinal) return wrong;
  if (bodyFollows === false) return right;
  const lines = [...head.matchAll(framingLines)];
  // Node closes the connection behind an answer that nothing else delimits.
  if (lines.length === 0) return right;
  const [[, name = "", value = ""] = []] = lines;
  if (lines.length > 1) return wrong;
  if (name.toLowerCase() === "transfer-encoding") return isChunked(value) ? right : wrong;
  if (!wholeNumber.test(value)) return wrong;
  if (isWrapped) return { isRight: true, toMeasure: Number(value) };
  return Number(value) === (hasBody ? length : 0) ? right : wrong;
}

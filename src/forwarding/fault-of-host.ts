import { Readable } from "node:stream";
import { UpstreamError } from "../errors.ts";
import type { Call } from "./call.ts";
import { codeOf } from "./failure-code.ts";
import { notesOf } from "./failure-notes.ts";
import { mostShort } from "./take-short-body.ts";

/** Notes what a failed call tells of its host, and gives the error back; after the end of the exchange nothing counts. */
export function noteFaultOfHost<Failure>(call: Call, error: Failure): Failure {
  if (!(error instanceof UpstreamError)) return error;
  const { answered } = notesOf(error);
  if (answered !== undefined) call.lease.answered(answered, call.outgoing.method);
  else if (isFaultOfHost(error, call)) call.lease.failed();
  return error;
}

/** What any client could bring about is no fault of the host: one client would take it from all others. */
function isFaultOfHost({ code, cause }: UpstreamError, call: Call): boolean {
  // Services repeat what clients send, in heads that are too long then, or hold what no head may.
  if (code === "upstream-ill-formed" || tooLongHead.test(codeOf(cause))) return false;
  // Services leave handshakes unanswered whose paths they do not know.
  if (call.handshakeStands === true) return code !== "upstream-reset" && code !== "answer-timeout";
  // A service may read no faster than it works, and gives up an upload that stalls or that it does not want: one that is
  // sent may still lie in the buffers of the system, whoever has read it here before. Short bodies, which went out whole,
  // tell of a service that dies.
  if (code === "answer-timeout") return hadItsTime(call) && (call.req.complete || !isUploading(call));
  if (code === "upstream-reset") return mayTellByReset(call) || notesOf(cause).unconnected === true;
  return true;
}

const tooLongHead = /^(?:HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW)$/;

/** Services also close a connection whose head is too long for them, without an answer. */
function mayTellByReset(call: Call): boolean {
  return wentOutWhole(call) && hasShortHead(call);
}

// uWSGI reads 4 KiB, of which some hundred are for what it adds itself.
const mostOfHead = 3_584;

/** A name of CGI has `HTTP_` before it, and lengths of two bytes before it and before its value. */
const besideField = 9;

/**
 * Whether a head is as short as all services take it. Those that make variables of CGI out of it have the target twice:
 * whole, and as path and query.
 */
function hasShortHead({ outgoing: { path, headers } }: Call): boolean {
  const ofField = ([name, value]: [string, unknown]): number => name.length + String(value).length + besideField;
  const ofFields = Object.entries(headers).reduce((sum, field) => sum + ofField(field), 0);
  return path.length * 2 + ofFields <= mostOfHead;
}

/** Whether nothing of a request can have stayed behind its head: it has no body, or a short one that was all there. */
function wentOutWhole({ outgoing: { body } }: Call): boolean {
  return body === null || (!(body instanceof Readable) && body.length <= mostShort);
}

function isUploading({ outgoing: { body } }: Call): boolean {
  return body instanceof Readable && !body.readableEnded;
}

/** A request that has waited in line longer than at the host tells of those before it in the line. */
function hadItsTime({ line }: Call): boolean {
  return line === undefined || performance.now() - line.until >= line.until - line.since;
}

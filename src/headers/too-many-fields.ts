import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { RequestError } from "../errors.ts";

/** What Node's servers keep on their connections. */
type ServedSocket = Socket & Readonly<{ server?: Readonly<{ maxHeadersCount?: number | null }> }>;

// What Node reads of a request or an answer where it is told nothing else.
const usualMost = 1_000;

/**
 * Whether Node may have left out header fields of a request: all that a server reads are there. `headers` then lacks some
 * that `rawHeaders` has, or both lack what the parser has framed the body by. Later versions refuse such a request.
 */
export function mayLackFields({ rawHeaders, socket }: IncomingMessage): boolean {
  const most = (socket as ServedSocket).server?.maxHeadersCount ?? usualMost;
  return most > 0 && rawHeaders.length >= most * 2;
}

/** The refusal of such a request. */
export function tooManyFields(): RequestError {
  return new RequestError("header-too-large", "The request has as many header fields as the server reads, or more.");
}

/** Whether Node may have left out header fields of an answer, one of which may have said that it is for nobody else. */
export function mayLackAnswerFields(rawHeaders: readonly string[]): boolean {
  return rawHeaders.length >= usualMost * 2;
}

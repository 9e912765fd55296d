import { bodyToSend } from "../bodies/with-code/watch-outgoing-body.ts";
import type { Headers, OutgoingRequest } from "../delegating-handler.ts";
import { GatewayError } from "../errors.ts";
import { givenHeaders } from "../headers/given-headers.ts";
import { givenValue, isGiven } from "../headers/is-given.ts";

/** A request as it stands at the moment, under lower-case names; headers that were inherited are its own. */
export function copyOutgoing(outgoing: OutgoingRequest): OutgoingRequest {
  const { method, origin, path, headers } = outgoing;
  return { method: readMethod(method), origin, path, headers: copyHeaders(headers), body: bodyToSend(outgoing) };
}

/** Headers as they stand at the moment, under lower-case names. */
export function copyHeaders(given: Headers): Headers {
  const headers = givenHeaders(given);
  const copy = Object.create(null) as Headers;
  for (const name in headers) {
    const value = headers[name]!;
    if (isGiven(value)) copy[name.toLowerCase()] = givenValue(value);
  }
  return copy;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * The method that goes upstream, in capitals as all methods of HTTP are: some engines send it as it is written, and an
 * upstream that knows no `head` answers with a body.
 */
export function readMethod(method: unknown): string {
  const upper = typeof method === "string" && token.test(method) ? method.toUpperCase() : undefined;
  // It asks for a tunnel, to which no answer of HTTP follows.
  if (upper !== undefined && upper !== "CONNECT") return upper;
  throw new GatewayError(
    "handler-misuse",
    `The method of a request was set to ${typeof method === "string" ? JSON.stringify(method) : typeof method}; expected a word such as "GET", and not CONNECT.`,
  );
}

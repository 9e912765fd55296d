import type { IncomingMessage } from "node:http";
import { comparingHeaders, partialHeaders } from "../headers/precondition-names.ts";

const open = { writable: true, enumerable: true, configurable: true };

/** A request as one part has it: with headers of its own, and with what was set on it since it was as `before`. */
export function createPartRequest(req: IncomingMessage, before: ReadonlyMap<string, unknown>): IncomingMessage {
  const own = Object.create(req) as IncomingMessage;
  for (const [name, value] of Object.entries(req) as [string, unknown][]) {
    // What Node notes for itself stays with the request.
    if (!name.startsWith("_") && before.get(name) !== value) Reflect.defineProperty(own, name, { ...open, value });
  }
  own.headers = withoutPreconditions(req);
  return own;
}

/** A whole is made of whole answers: of a part of one, or of the word that the client has it already, it could not be. */
function withoutPreconditions({ method = "", headers }: IncomingMessage): IncomingMessage["headers"] {
  const left = { ...headers };
  // What such a header forbids to change is for the service to judge.
  if (reading.has(method))
    for (const name of [...comparingHeaders, ...partialHeaders]) Reflect.deleteProperty(left, name);
  return left;
}

const reading: ReadonlySet<string> = new Set(["GET", "HEAD"]);

import type { IncomingMessage } from "node:http";
import { ownHeaders } from "../headers/own-value.ts";
import { comparingHeaders, partialHeaders } from "../headers/precondition-names.ts";

/** A whole is made of whole answers: of a part of one, or of the word that the client has it already, it could not be. */
export function withoutPreconditions({ method = "", headers }: IncomingMessage): IncomingMessage["headers"] {
  const left = ownHeaders(headers);
  // What such a header forbids to change is for the service to judge.
  if (reading.has(method))
    for (const name of [...comparingHeaders, ...partialHeaders]) Reflect.deleteProperty(left, name);
  return left;
}

const reading: ReadonlySet<string> = new Set(["GET", "HEAD"]);

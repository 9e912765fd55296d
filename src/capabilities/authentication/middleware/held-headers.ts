import type { IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { restoreHeaders } from "../../../exchange/restore-headers.ts";
import { ownHeaders } from "../../../headers/own-value.ts";

const headerMembers = ["headers", "headersDistinct", "rawHeaders"] as const;

/** The members in which a request tells its headers. */
export type HeaderMembers = { [Name in (typeof headerMembers)[number]]?: IncomingMessage[Name] };

/** Whether a member tells headers: all code that has the request sees what one changes in it. */
export function isHeaderMember(name: string | symbol): name is keyof HeaderMembers {
  return headerMembers.some((member) => member === name);
}

/** Copies a member of a request that tells headers, lists and all. */
export function copyHeaders(given: IncomingMessage, name: keyof HeaderMembers): object {
  const found = given[name];
  return Array.isArray(found) ? [...found] : ownHeaders(found);
}

/** Gives a request the headers that were changed; the function that comes back takes away what no other code has set since. */
export function setHeadersForAWhile(given: IncomingMessage, copies: HeaderMembers): () => void {
  const takeBack = headerMembers
    .filter((name) => copies[name] !== undefined && !isDeepStrictEqual(copies[name], given[name]))
    .map((name) => replaceHeaders(given, name, copies[name]!));
  return () => takeBack.forEach((take) => take());
}

function replaceHeaders(given: IncomingMessage, name: keyof HeaderMembers, changed: object): () => void {
  const earlier = given[name];
  const cleaned = { ...changed };
  Object.assign(given, { [name]: changed });
  return function takeAway() {
    if (name === "headers") restoreHeaders(given, { given: earlier as IncomingMessage["headers"], cleaned });
    else if (given[name] === changed) Object.assign(given, { [name]: earlier });
  };
}

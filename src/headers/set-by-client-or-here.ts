import type { IncomingMessage } from "node:http";
import { lowerCaseOf } from "./lower-case-of.ts";

/** The headers of a request as they stand, and as they came from the wire. */
export type HeadersOfRequest = Readonly<Pick<IncomingMessage, "headers" | "rawHeaders">>;

/**
 * Prepares to tell which headers of a request are as the client sent them: what differs was set by somebody here, before
 * the match. Most requests have no header of which that matters; those of the others are looked through once. A request
 * that somebody has made without telling what came from the wire is its client's altogether.
 */
export function createIsClients({ headers, rawHeaders }: HeadersOfRequest): (name: string) => boolean {
  let untouched: boolean | undefined;
  let sent: ReadonlyMap<string, readonly string[]> | undefined;
  return function isClients(name) {
    untouched ??= areAsSent(headers, rawHeaders);
    if (untouched) return headers[name] !== undefined;
    sent ??= readSent(rawHeaders);
    return sent.size === 0 || isSentAs(headers[name], sent.get(name));
  };
}

/**
 * Whether each header came once, and is what came: so it is for almost every request, in the order in which Node has read
 * them. To count them is not enough: one that came twice would stand for another one that was set here.
 */
function areAsSent(headers: IncomingMessage["headers"], rawHeaders: readonly string[]): boolean {
  let index = 0;
  for (const name in headers) {
    if (headers[name] === undefined) continue;
    if (index === rawHeaders.length || lowerCaseOf(rawHeaders[index]!) !== name) return false;
    if (headers[name] !== rawHeaders[index + 1]) return false;
    index += 2;
  }
  return index === rawHeaders.length;
}

function readSent(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const sent = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    const values = sent.get(name);
    if (values === undefined) sent.set(name, [rawHeaders[index + 1]!]);
    else values.push(rawHeaders[index + 1]!);
  }
  return sent;
}

/**
 * Of repeats Node keeps the first, joins all, or makes a list, by their name and the server's settings; where there are
 * more fields than the server reads, those that it has read.
 */
function isSentAs(value: string | string[] | undefined, values: readonly string[] | undefined): boolean {
  if (value === undefined || values === undefined) return false;
  if (Array.isArray(value)) return value.length <= values.length && value.every((one, at) => one === values[at]);
  return values.includes(value) || joinsFirst(value, values, ", ") || joinsFirst(value, values, "; ");
}

/** Whether a value is the first of some values, joined, however many. */
function joinsFirst(value: string, values: readonly string[], separator: string): boolean {
  let end = 0;
  for (const one of values) {
    if (!value.startsWith(one, end)) return false;
    end += one.length;
    if (end === value.length) return true;
    if (!value.startsWith(separator, end)) return false;
    end += separator.length;
  }
  return false;
}

import type { IncomingHttpHeaders } from "node:http";
import { findSpareSpellings, isOddlySpelt, plainName, usualHeaders } from "./header-aliases.ts";
import { hopByHopHeaders, namedByConnection } from "./hop-by-hop.ts";

// What an untrusted peer may not tell: who it is and what it asked for.
const spoofable = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-original-.*|x-rewrite-url|x-client-certificate)$/;

/** What is left of a request's headers, and which were dropped besides a usual `Connection`, as nearly all requests have. */
export type CleanedHeaders = Readonly<{ headers: IncomingHttpHeaders; dropped: readonly string[] | undefined }>;

/** Whether the peer may say who the client is, and the names in lower case that the route compares or sets. */
export type CleaningRules = Readonly<{ peerIsTrusted: boolean; compared: () => ReadonlySet<string> }>;

/**
 * A matched request's headers without what must not reach middleware as the client's word: hop-by-hop headers, those
 * that `Connection` names, and, from an untrusted peer, what only a proxy may say. `Transfer-Encoding` stays until the
 * request is sent: body parsers in the user's middleware look at it to know that there is a body. It is a copy, as an
 * object from which something was deleted is slow for everybody who looks at it later. Of a name that the client spells in
 * several ways one spelling is left: if there is a second one later, somebody here has set it.
 */
export function cleanIncomingHeaders(
  headers: IncomingHttpHeaders,
  { peerIsTrusted, compared }: CleaningRules,
): CleanedHeaders {
  const named = headers.connection === undefined ? [] : namedByConnection(headers.connection.toLowerCase());
  const clean: IncomingHttpHeaders = {};
  let dropped: string[] | undefined;
  let hasOdd = false;
  for (const name in headers) {
    const isUsual = usualHeaders.has(name);
    const isOdd = !isUsual && isOddlySpelt(name);
    const stays = (isUsual || !isDropped(name, isOdd, peerIsTrusted)) && !named.includes(name);
    hasOdd ||= isOdd && stays;
    if (stays) clean[name] = headers[name];
    else if (name !== "connection" || named.length > 0) (dropped ??= []).push(name);
  }
  if (hasOdd) {
    const spare = findSpareSpellings(clean, compared());
    for (const name of spare) Reflect.deleteProperty(clean, name);
    dropped = dropped === undefined ? spare : [...dropped, ...spare];
  }
  return { headers: clean, dropped };
}

function isDropped(name: string, isOdd: boolean, peerIsTrusted: boolean): boolean {
  if (hopByHopHeaders.has(name)) return name !== "transfer-encoding";
  if (isOdd) return isReserved(plainName(name));
  return !peerIsTrusted && maySpoof(name) && spoofable.test(name);
}

/** Nobody spells them so who means well, and a proxy that is trusted may pass on what its client has sent. */
function isReserved(name: string): boolean {
  return hopByHopHeaders.has(name) || name === "content-length" || (maySpoof(name) && spoofable.test(name));
}

function maySpoof(name: string): boolean {
  return name.startsWith("x-") || name === "forwarded";
}

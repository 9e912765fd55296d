import type { IncomingHttpHeaders } from "node:http";
import { hopByHopHeaders, namedByConnection } from "./hop-by-hop.ts";

// What an untrusted peer may not tell: who it is and what it asked for.
const spoofable = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-original-.*|x-rewrite-url|x-client-certificate)$/;

/**
 * A matched request's headers without what must not reach middleware as the client's word: hop-by-hop headers, those
 * that `Connection` names, and, from an untrusted peer, what only a proxy may say. `Transfer-Encoding` stays until the
 * request is sent: body parsers in the user's middleware look at it to know that there is a body. It is a copy, as an
 * object from which something was deleted is slow for everybody who looks at it later.
 */
export function cleanIncomingHeaders(headers: IncomingHttpHeaders, peerIsTrusted: boolean): IncomingHttpHeaders {
  const named = headers.connection === undefined ? [] : namedByConnection(headers.connection.toLowerCase());
  const clean: IncomingHttpHeaders = {};
  for (const name in headers) {
    if (!isDropped(name, peerIsTrusted) && !named.includes(name)) clean[name] = headers[name];
  }
  return clean;
}

function isDropped(name: string, peerIsTrusted: boolean): boolean {
  if (hopByHopHeaders.has(name)) return name !== "transfer-encoding";
  return !peerIsTrusted && maySpoof(name) && spoofable.test(name);
}

function maySpoof(name: string): boolean {
  return name.startsWith("x-") || name === "forwarded";
}

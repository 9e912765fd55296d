import type { IncomingHttpHeaders } from "node:http";
import { hopByHopHeaders, namedByConnection } from "./hop-by-hop.ts";

// What an untrusted peer may not tell: who it is and what it asked for.
const spoofable = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-original-.*|x-rewrite-url|x-client-certificate)$/;

/**
 * Removes from a matched request what must not reach middleware as the client's word: hop-by-hop headers, those that
 * `Connection` names, and, from an untrusted peer, what only a proxy may say. `Transfer-Encoding` stays until the
 * request is sent: body parsers in the user's middleware look at it to know that there is a body.
 */
export function cleanIncomingHeaders(headers: IncomingHttpHeaders, peerIsTrusted: boolean): void {
  if (headers.connection !== undefined) {
    for (const name of namedByConnection(headers.connection.toLowerCase())) delete headers[name];
  }
  for (const name in headers) {
    if (isDropped(name, peerIsTrusted)) delete headers[name];
  }
}

function isDropped(name: string, peerIsTrusted: boolean): boolean {
  if (hopByHopHeaders.has(name)) return name !== "transfer-encoding";
  return !peerIsTrusted && maySpoof(name) && spoofable.test(name);
}

function maySpoof(name: string): boolean {
  return name.startsWith("x-") || name === "forwarded";
}

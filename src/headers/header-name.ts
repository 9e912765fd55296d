import { hopByHopHeaders } from "./hop-by-hop.ts";

/** Why a name cannot be that of a header that the gateway sets or compares. */
export type HeaderNameFault = "invalid" | "reserved";

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

// Framing and identity, too, are not the gateway's to set, and comparing them would leak or break them.
const reserved: ReadonlySet<string> = new Set([
  ...hopByHopHeaders,
  "content-length",
  "host",
  "cookie",
  "set-cookie",
  "authorization",
]);

const framing: ReadonlySet<string> = new Set([...hopByHopHeaders, "content-length"]);

/** The same for the name of a header that a configuration changes on its way: only what frames a message is reserved. */
export function findTransformNameFault(name: string): HeaderNameFault | undefined {
  if (!token.test(name)) return "invalid";
  return framing.has(name.toLowerCase()) ? "reserved" : undefined;
}

/** What is wrong with a configured header name: no token of RFC 9110, or one that is reserved; undefined when it is fine. */
export function findHeaderNameFault(name: string): HeaderNameFault | undefined {
  if (!token.test(name)) return "invalid";
  return reserved.has(name.toLowerCase()) ? "reserved" : undefined;
}

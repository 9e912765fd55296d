import type { Headers } from "../delegating-handler.ts";
import { givenHeaders } from "./given-headers.ts";
import { emptyHeaders } from "./headers-without-prototype.ts";
import { hopByHopHeaders } from "./hop-by-hop.ts";
import { givenValue, isGiven } from "./is-given.ts";

// Framing is written anew, by what is known of the body.
const dropped: ReadonlySet<string> = new Set([...hopByHopHeaders, "content-length"]);
const droppedLengths: ReadonlySet<number> = new Set(Array.from(dropped, ({ length }) => length));

/**
 * The headers of an answer as one client gets them, without those that speak of a connection. They are a copy: a handler
 * may give the same answer to several clients, and headers that it has inherited could not be taken away.
 */
export function copyForClient(given: Headers): Headers {
  const headers = givenHeaders(given);
  const copy = emptyHeaders();
  for (const name in headers) {
    const value = headers[name]!;
    if (isGiven(value) && (!droppedLengths.has(name.length) || !dropped.has(name.toLowerCase())))
      copy[name] = givenValue(value);
  }
  return copy;
}

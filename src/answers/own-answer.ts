import type { Headers, UpstreamResponse } from "../delegating-handler.ts";
import { givenHeaders } from "../headers/given-headers.ts";
import { isGiven } from "../headers/is-given.ts";
import { emptyHeaders } from "../headers/headers-without-prototype.ts";
import { createHeir } from "./upstream-response.ts";

/**
 * The same answer with a head of its own, under lower-case names, and a body of its own: a handler may give one answer to
 * several clients at the same time, and what becomes of it for one of them would be seen by the others.
 */
export function ownAnswer(answer: UpstreamResponse): UpstreamResponse {
  const headers = emptyHeaders();
  const given = givenHeaders(answer.headers);
  for (const name in given) {
    const lower = name.toLowerCase();
    const own = ownTexts(given[name]!);
    const earlier = lower === "set-cookie" && isGiven(own) && own.length > 0 ? headers[lower] : undefined;
    // Code that sets a cookie under another spelling does not mean the upstream's.
    headers[lower] = earlier === undefined ? own : [earlier, own].flat();
  }
  return Object.assign(createHeir(answer), { headers });
}

/** A handler in JavaScript may give numbers, where all that read heads read texts; what else is no text cannot be sent. */
function ownTexts(value: Headers[string]): Headers[string] {
  return Array.isArray(value) ? value.map(asText) : asText(value);
}

function asText(value: string): string {
  return typeof value === "number" ? String(value) : value;
}

import type { UpstreamResponse } from "../delegating-handler.ts";
import { emptyHeaders } from "../headers/headers-without-prototype.ts";
import { ownValue } from "../headers/own-value.ts";
import { createHeir } from "./upstream-response.ts";

/**
 * The same answer with a head of its own, under lower-case names, and a body of its own: a handler may give one answer to
 * several clients at the same time, and what becomes of it for one of them would be seen by the others.
 */
export function ownAnswer(answer: UpstreamResponse): UpstreamResponse {
  const headers = emptyHeaders();
  for (const name in answer.headers) headers[name.toLowerCase()] = ownValue(answer.headers[name]!);
  return Object.assign(createHeir(answer), { headers });
}

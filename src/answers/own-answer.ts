import type { UpstreamResponse } from "../delegating-handler.ts";
import { emptyHeaders } from "../headers/empty-headers.ts";

/**
 * The same answer with a head of its own, under lower-case names: a handler may give one answer to several clients at the
 * same time, and what is written into its head for one of them would be seen by the others.
 */
export function ownAnswer(answer: UpstreamResponse): UpstreamResponse {
  const headers = emptyHeaders();
  for (const name in answer.headers) headers[name.toLowerCase()] = answer.headers[name]!;
  const head = { status: answer.status, statusText: answer.statusText, headers };
  const members = Object.entries(head).map(([name, value]) => [name, { ...open, value }]);
  return Object.create(answer, Object.fromEntries(members) as PropertyDescriptorMap) as UpstreamResponse;
}

const open = { writable: true, enumerable: true, configurable: true } as const;

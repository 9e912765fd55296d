import type { Headers } from "../../delegating-handler.ts";
import { ownValue } from "../../headers/own-value.ts";

const idHeaders: ReadonlySet<string> = new Set(["x-request-id", "request-id", "x-correlation-id", "correlation-id"]);

/** The headers that are kept: no ids, as the client that gets the answer again has made another request. */
export function keptHeaders(headers: Headers, idHeader: string | undefined): Headers {
  const kept = Object.entries(headers).filter(([name]) => name !== idHeader && !idHeaders.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, ownValue(value)]));
}

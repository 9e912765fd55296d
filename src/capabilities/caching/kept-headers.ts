import type { Headers } from "../../delegating-handler.ts";

const idHeaders: ReadonlySet<string> = new Set(["x-request-id", "request-id", "x-correlation-id", "correlation-id"]);

/** The headers that are kept: no ids, as the client that gets the answer again has made another request. */
export function keptHeaders(headers: Headers, idHeader: string | undefined): Headers {
  const kept = Object.entries(headers).filter(([name]) => name !== idHeader && !idHeaders.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, Array.isArray(value) ? value.map(asText) : asText(value)]),
  );
}

/** A handler in JavaScript may give numbers; what else is no text cannot be sent, and so is not kept either. */
function asText(value: string): string {
  return typeof value === "number" ? String(value) : value;
}

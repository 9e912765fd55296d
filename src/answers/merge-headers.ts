import type { ServerResponse } from "node:http";
import type { Headers } from "../delegating-handler.ts";

/** The `Via` of an answer, with this gateway behind those before it. */
export function appendVia(present: string | string[] | undefined): string {
  return present === undefined ? "1.1 waymark" : `${String(present)}, 1.1 waymark`;
}

/**
 * Cookies and `Vary` of earlier middleware stay beside the upstream's; any other header of the upstream replaces
 * theirs.
 */
export function mergeHeaders(headers: Headers, res: ServerResponse): void {
  const cookies = res.getHeader("set-cookie");
  if (cookies !== undefined && headers["set-cookie"] !== undefined) {
    headers["set-cookie"] = [cookies, headers["set-cookie"]].flat().map(String);
  }
  const vary = res.getHeader("vary");
  if (vary !== undefined && headers.vary !== undefined) headers.vary = mergeVary(String(vary), String(headers.vary));
}

function mergeVary(first: string, second: string): string {
  const names = new Map(`${first},${second}`.split(",").map((name) => [name.trim().toLowerCase(), name.trim()]));
  names.delete("");
  return names.has("*") ? "*" : [...names.values()].join(", ");
}

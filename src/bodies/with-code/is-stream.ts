import type { Readable } from "node:stream";

/** Streams of other libraries count as well. */
export function isStream(body: unknown): body is Readable {
  return typeof body === "object" && body !== null && "on" in body && typeof body.on === "function";
}

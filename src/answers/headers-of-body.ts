import type { GivenHeaders, Headers } from "../delegating-handler.ts";
import { takeOut } from "../headers/given-headers.ts";

const bodyHeaders = ["content-length", "content-encoding", "etag"];

/** Takes away what describes the old body: no other body is told by it. */
export function dropBodyHeaders(headers: GivenHeaders): void {
  takeOut(headers, bodyHeaders);
}

// These headers speak of the bytes of the old body; its length and coding go with the body itself.
const headersOfOldBytes = ["accept-ranges", "content-md5", "digest", "content-digest", "repr-digest"];

/** Takes away what is not true of a body with the same meaning in other bytes. */
export function dropHeadersOfBytes(headers: Headers): void {
  for (const name of headersOfOldBytes) delete headers[name];
}

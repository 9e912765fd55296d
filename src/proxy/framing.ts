import type { IncomingHttpHeaders } from "node:http";

/** How the body of a request is delimited: not there, by a length, or in chunks. */
export type Framing = Readonly<{ kind: "none" } | { kind: "length"; length: number } | { kind: "chunked" }>;

const noBody: Framing = { kind: "none" };
const chunkedBody: Framing = { kind: "chunked" };

/** Reads how a request came in; what filters leave of its headers decides nothing. */
export function readFraming(headers: IncomingHttpHeaders): Framing {
  if (headers["transfer-encoding"] !== undefined) return chunkedBody;
  const length = headers["content-length"];
  return length === undefined ? noBody : { kind: "length", length: Number(length) };
}

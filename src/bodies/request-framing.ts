import type { IncomingHttpHeaders } from "node:http";

/** How the body of a request is delimited: not there, by a length, in chunks, or in chunks of bytes that are coded besides. */
export type Framing = Readonly<
  { kind: "none" } | { kind: "length"; length: number } | { kind: "chunked" } | { kind: "coded" }
>;

const noBody: Framing = { kind: "none" };
const chunkedBody: Framing = { kind: "chunked" };
const codedBody: Framing = { kind: "coded" };

/** Reads how a request is delimited from the headers that came in; later changes of these headers decide nothing. */
export function readFraming(headers: IncomingHttpHeaders): Framing {
  const coding = headers["transfer-encoding"];
  if (coding !== undefined) return isChunked(coding) ? chunkedBody : codedBody;
  const length = headers["content-length"];
  return length === undefined ? noBody : { kind: "length", length: Number(length) };
}

/**
 * Whether a `Transfer-Encoding` says that a body comes in chunks and nothing else. Parsers look for chunks only: they
 * would hand over the bytes of any other coding as they are, and nobody behind them would know of it.
 */
export function isChunked(transferEncoding: string): boolean {
  return transferEncoding === "chunked" || chunkedAlone.test(transferEncoding);
}

// Behind a tab at its end llhttp (9.3) does not know the word any more, and undici hands the tab over.
const chunkedAlone = /^chunked *$/i;

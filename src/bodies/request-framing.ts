import type { IncomingHttpHeaders } from "node:http";

/** A request as far as its head tells how it came in; one that no parser has read has no raw headers. */
type Head = Readonly<{ headers: IncomingHttpHeaders; rawHeaders?: readonly string[] }>;

/** A body of known length; `isAsSent` says of one that the gateway itself has read that nobody has made other bytes of it. */
type Length = { kind: "length"; length: number; text: string; isAsSent?: true };

/** How the body of a request is delimited: not there, by a length, in chunks, or in chunks of bytes that are coded besides. */
export type Framing = Readonly<{ kind: "none" } | Length | { kind: "chunked" } | { kind: "coded" }>;

const noBody: Framing = { kind: "none" };
const chunkedBody: Framing = { kind: "chunked" };
const codedBody: Framing = { kind: "coded" };

const lengthName = "content-length";
const codingName = "transfer-encoding";

/** Reads how a request came in: what earlier middleware has made of its headers says nothing about the bytes that come. */
export function readFraming({ headers, rawHeaders = [] }: Head): Framing {
  if (rawHeaders.length === 0) return toFraming(headers[codingName], headers[lengthName]);
  let coding: string | undefined;
  let length: string | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === lengthName.length && name.toLowerCase() === lengthName) length ??= rawHeaders[index + 1]!;
    if (name.length === codingName.length && name.toLowerCase() === codingName)
      coding = coding === undefined ? rawHeaders[index + 1]! : `${coding}, ${rawHeaders[index + 1]!}`;
  }
  return toFraming(coding, length);
}

function toFraming(coding: string | undefined, given: string | undefined): Framing {
  if (coding !== undefined) return isChunked(coding) ? chunkedBody : codedBody;
  if (given === undefined) return noBody;
  const length = Number(given);
  // Longer ones than a number holds are told as they were told here.
  return { kind: "length", length, text: Number.isSafeInteger(length) ? String(length) : given.trim() };
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

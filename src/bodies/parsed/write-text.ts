import { BodyConsumedError } from "../../errors.ts";
import { markLength } from "./byte-order-mark.ts";
import { holdsReplacement } from "./holds-replacement.ts";
import { type Head, readSentLength } from "./sent-length.ts";

/**
 * Writes a text that a parser has made of a body under a type that is not JSON's: as JSON where a parser of JSON has read it,
 * and as it is elsewhere, unless bytes of it were no text.
 */
export function writeText(text: string, head: Head): string {
  const sent = readSentLength(head);
  const length = Buffer.byteLength(text);
  if (sent === length) return text;
  const json = sent !== undefined && sent > length + mostOftenRemoved ? JSON.stringify(text) : undefined;
  if (json !== undefined && Buffer.byteLength(json) === sent) return json;
  if (!holdsReplacement(text)) return text;
  throw new BodyConsumedError(
    "body-consumed",
    "Middleware before the gateway has made a text of the body of the request, of which some bytes, or all of them, are no text " +
      "(U+FFFD stands in their place). Let that middleware read texts only, keep the bytes in req.rawBody, or set req.body to a Buffer.",
  );
}

/** A byte order mark, or the end of a line, which middleware has trimmed, takes as much as quotes with one escaped sign do. */
const mostOftenRemoved = markLength;

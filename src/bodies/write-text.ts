import { BodyConsumedError } from "../errors.ts";
import { holdsReplacement } from "./holds-replacement.ts";
import { type Head, readSentLength } from "./sent-length.ts";

/** Writes a text that a parser has made of what is no JSON, where it has lost none of its bytes. */
export function writeText(text: string, head: Head): string {
  if (readSentLength(head) === Buffer.byteLength(text) || !holdsReplacement(text)) return text;
  throw new BodyConsumedError(
    "body-consumed",
    "Middleware before the gateway has made a text of the body of the request, of which some bytes, or all of them, are no text " +
      "(U+FFFD stands in their place). Let that middleware read texts only, keep the bytes in req.rawBody, or set req.body to a Buffer.",
  );
}

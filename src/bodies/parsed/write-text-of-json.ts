import { BodyConsumedError } from "../../errors.ts";
import { markLength } from "./byte-order-mark.ts";
import { holdsReplacement } from "./holds-replacement.ts";
import { type Head, readSentLength } from "./sent-length.ts";

/**
 * Writes a text that a parser has made of JSON. It is the JSON itself where the parser reads texts, which may have removed a
 * byte order mark, and a value where it reads JSON that is one text; only the length that the client has told tells them
 * apart.
 */
export function writeTextOfJson(text: string, head: Head): string {
  const sent = readSentLength(head);
  const length = Buffer.byteLength(text);
  const isSpoiled = holdsReplacement(text);
  if (sent === length && !isSpoiled) return text;
  const json = JSON.stringify(text);
  const jsonLength = Buffer.byteLength(json);
  const mayHaveHadMark = sent === length + markLength;
  // No JSON of the value is shorter than this one.
  if (mayHaveHadMark && jsonLength > sent && !isSpoiled) return text;
  if (sent === jsonLength && !(mayHaveHadMark && isJson(text))) return json;
  throw new BodyConsumedError(
    "body-consumed",
    "The body of the request is JSON, of which middleware before the gateway has made a text: whether that is the JSON itself " +
      "or a value that was read from it cannot be told. Keep the bytes in req.rawBody, or set req.body to a Buffer.",
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

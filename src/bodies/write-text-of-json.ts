import { BodyConsumedError } from "../errors.ts";
import type { Headers } from "../delegating-handler.ts";
import { markLength } from "./byte-order-mark.ts";
import { withUtf8 } from "./media-type.ts";
import type { Framing } from "./request-framing.ts";

/** What the head of a request says of its body. */
export type Head = Readonly<{ framing: Framing; headers: Headers }>;

/**
 * Writes a text that a parser has made of JSON. It is the JSON itself where the parser reads texts, which may have removed a
 * byte order mark, and a value where it reads JSON that is one text; only the length that the client has told tells them
 * apart.
 */
export function writeTextOfJson(text: string, head: Head): string {
  const sent = readSentLength(head);
  const length = Buffer.byteLength(text);
  const isSpoiled = text.includes(replacement);
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

/** Stands for bytes that are no UTF-8, and is longer than they are: one JSON could be made as long as another so. */
const replacement = "\ufffd";

/** How many bytes of UTF-8 the client has sent, where that is certain. */
function readSentLength({ framing, headers }: Head): number | undefined {
  if (framing.kind !== "length" || headers["content-encoding"] !== undefined) return undefined;
  const type = String(headers["content-type"]);
  return withUtf8(type).toLowerCase() === type.toLowerCase() ? framing.length : undefined;
}

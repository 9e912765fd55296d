import { escapedByte } from "../urls/form-decode.ts";

/** A text in which escapes are decoded, and where each character of it, and its end, stood before. */
type Decoded = Readonly<{ text: string; starts: Uint32Array }>;

const percent = "%".charCodeAt(0);
const escapedPercent = "25";
const digits = 2;

/** Decodes the escapes of a text, however many times over they were escaped. */
export function decodeAllEscapes(text: string): Decoded {
  const starts = new Uint32Array(text.length + 1);
  const units = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; length += 1) {
    starts[length] = at;
    const end = endOfEscape(text, at);
    units[length] = end === undefined ? text.charCodeAt(at) : byteBefore(text, end);
    at = end ?? at + 1;
  }
  starts[length] = text.length;
  return { text: Buffer.from(units.buffer, 0, length * units.BYTES_PER_ELEMENT).toString("utf16le"), starts };
}

/** Where an escape ends that begins at a place; undefined where there is none. */
function endOfEscape(text: string, start: number): number | undefined {
  if (text.charCodeAt(start) !== percent) return undefined;
  let end = start + 1;
  while (text.startsWith(escapedPercent, end)) end += escapedPercent.length;
  if (byteBefore(text, end + digits) !== -1) return end + digits;
  // What is no escape behind a percent sign leaves the sign.
  return end > start + 1 ? end : undefined;
}

function byteBefore(text: string, end: number): number {
  return escapedByte(text.charCodeAt(end - digits), text.charCodeAt(end - 1));
}

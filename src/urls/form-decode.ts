const percent = 0x25;
const hexBase = 16;
const loneOrBeyondAscii = /%(?![0-7][\da-f])/i;
const escape = /%[\da-f]{2}/i;
const escapes = /(?:%[\da-f]{2})+/gi;
const unicodeEscape = /%u([\da-f]{4})/gi;

/**
 * Decodes a name or value of a query as forms do: `+` is a blank; what is no escape stays as it is, and a byte that is no
 * UTF-8 becomes the replacement character. Nothing of it throws: an exception for each of a client's parameters would
 * cost twenty times as much as their decoding.
 */
export function formDecode(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!loneOrBeyondAscii.test(spaced)) return decodeURIComponent(spaced);
  if (!escape.test(spaced)) return spaced;
  return spaced.isWellFormed() ? decodeBytes(spaced) : spaced.replace(escapes, decodeBytes);
}

/** Whether a text holds an escape that only ASP.NET before Core knows: `%uXXXX`. */
export function holdsUnicodeEscape(text: string): boolean {
  return text.includes("%u") || text.includes("%U");
}

/** Decodes as {@link formDecode} does, and `%uXXXX` besides. */
export function formDecodeUnicode(text: string): string {
  if (!holdsUnicodeEscape(text)) return formDecode(text);
  const characters = (_: string, digits: string): string =>
    encodeURIComponent(String.fromCharCode(Number.parseInt(digits, 16)).toWellFormed());
  return formDecode(text.replace(unicodeEscape, characters));
}

/** Decodes the bytes of a text; no character beyond ASCII goes on with a byte that was escaped. */
function decodeBytes(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const unit = bytes[at]!;
    const byte = unit === percent ? escapedByte(bytes[at + 1]!, bytes[at + 2]!) : -1;
    bytes[length] = byte === -1 ? unit : byte;
    length += 1;
    if (byte !== -1) at += 2;
  }
  return bytes.toString("utf8", 0, length);
}

/** The byte that the two characters behind a percent sign stand for; -1 where they are no hex digits. */
export function escapedByte(high: number, low: number): number {
  const first = digitOf(high);
  if (first === -1) return -1;
  const second = digitOf(low);
  return second === -1 ? -1 : first * hexBase + second;
}

/** Behind the end of a text `charCodeAt` gives NaN. */
function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

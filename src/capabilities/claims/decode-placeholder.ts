import { encodeAssignedValue } from "../../templates/encode-value.ts";
import type { PlaceholderOrigin } from "../../templates/upstream-template.ts";

const illFormed = /%(?![0-9A-Fa-f]{2})/;
const escape = /%[0-9A-Fa-f]{2}/;
const escaped = /%([0-9A-Fa-f]{2})/g;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * What a client means by the value of a placeholder; undefined where that cannot be told. An escape of a header is text in
 * the header, which travels on, and a character in a URL.
 */
export function decodePlaceholder(value: string, origin: PlaceholderOrigin): string | undefined {
  if (origin === "header") return escape.test(value) ? undefined : fromBytes(value);
  if (illFormed.test(value)) return undefined;
  const spaced = origin === "query" ? value.replaceAll("+", " ") : value;
  return fromBytes(spaced.replace(escaped, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))));
}

/** What a service reads of a value that no client has sent; a path and a query spell it differently, and mean the same. */
export function decodeAssigned(value: string): string | undefined {
  return decodePlaceholder(encodeAssignedValue(value, "path"), "path");
}

/** Node hands over the client's bytes as one character each. */
function fromBytes(text: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(text, "latin1"));
  } catch {
    return undefined;
  }
}

import { TextDecoder } from "node:util";

const charsetParameter = /(;\s*charset\s*=\s*)(?:"([^"]*)"|([^\s;]*))/i;
const utf8 = /^utf-?8$/i;

/** The media type of a `Content-Type`, without parameters, in lower case; empty where there is none or several. */
export function readMediaType(contentType: string | string[] | undefined): string {
  if (typeof contentType !== "string") return "";
  const end = contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** What parsers are told to read as JSON besides `application/json`: every `json` and `+json`, and what browsers report. */
const jsonTypes = /^(?:[\w.!#$&^+-]+\/(?:[\w.!#$&^+-]+\+)?json|application\/csp-report)$/;

/** Whether a body of such a type, in lower case, is JSON. */
export function isJsonType(mediaType: string): boolean {
  return jsonTypes.test(mediaType);
}

/** The charset of a `Content-Type` as a label that `TextDecoder` takes: utf-8 where none is named, undefined where it is unknown. */
export function readCharset(contentType: string): string | undefined {
  const found = charsetParameter.exec(contentType);
  const label = found?.[2] ?? found?.[3] ?? "utf-8";
  if (utf8.test(label)) return "utf-8";
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

const token = "[\\w!#$%&'*+.^`|~-]+";
// Readers differ in what they make of a semicolon or an escape between quotes.
const value = `(?:${token}|"[^"\\\\;]*")`;
const parameters = `(?:;[ \\t]*(?:${token}[ \\t]*=[ \\t]*${value}[ \\t]*)?)*`;
const plainCharset = new RegExp(
  `^([^;"]*${parameters};[ \\t]*charset[ \\t]*=[ \\t]*)${value}([ \\t]*${parameters})$`,
  "i",
);

/**
 * A `Content-Type` with utf-8 in the place of the charset that it names. Where readers could find several charsets in it,
 * or another one than this finds, all other parameters go.
 */
export function withUtf8(contentType: string): string {
  const named = contentType.match(/charset/gi)?.length ?? 0;
  if (named === 0) return contentType;
  if (named === 1 && plainCharset.test(contentType)) return contentType.replace(plainCharset, "$1utf-8$2");
  return `${/^\s*[^;,\s]*/.exec(contentType)![0]}; charset=utf-8`;
}

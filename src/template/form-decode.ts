import { unescape } from "node:querystring";

/** Decodes a name or value of a query as forms do: `+` is a blank; what is no escape stays as it is. */
export function formDecode(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  return unescape(text.replaceAll("+", " "));
}

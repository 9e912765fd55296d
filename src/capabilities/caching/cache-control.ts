import type { Headers } from "../../delegating-handler.ts";

/** The directives of a `Cache-Control`: names in lower case; of repeated ones all arguments. */
export type Directives = ReadonlyMap<string, readonly string[]>;

const none: Directives = new Map();

/** The lines of a header as one text. */
export function joinLines(value: Headers[string] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Reads all lines of a `Cache-Control`; a comma within quotes is none. */
export function readDirectives(value: Headers[string] | undefined): Directives {
  const text = joinLines(value);
  if (text === undefined || text === "") return none;
  const directives = new Map<string, string[]>();
  for (const part of splitUnquoted(text)) {
    const at = part.indexOf("=");
    const name = (at === -1 ? part : part.slice(0, at)).trim().toLowerCase();
    if (name === "") continue;
    const given = at === -1 ? "" : unquote(part.slice(at + 1).trim());
    const earlier = directives.get(name);
    if (earlier === undefined) directives.set(name, [given]);
    else earlier.push(given);
  }
  return directives;
}

/** A span of seconds; what is none counts as 0: it was meant to restrict. */
export function readSeconds(directives: Directives, name: string): number | undefined {
  const given = directives.get(name);
  if (given === undefined) return undefined;
  return Math.min(...given.map((text) => (wholeNumber.test(text) ? Number(text) : 0)));
}

const wholeNumber = /^\d{1,15}$/;

/** The elements of a list, without blanks and empty ones. */
export function splitList(value: Headers[string] | undefined): readonly string[] {
  const text = joinLines(value) ?? "";
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Where a quote stays open, nobody can tell what it was to hold: then every comma counts. */
function splitUnquoted(text: string): readonly string[] {
  if (!text.includes('"')) return text.split(",");
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === "\\") at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === "," && !isQuoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return isQuoted ? text.split(",") : [...parts, text.slice(start)];
}

function unquote(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

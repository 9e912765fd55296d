import { formDecodeUnicode, holdsUnicodeEscape } from "./form-decode.ts";
import type { QueryParameter } from "./client-query.ts";

const plainName = /^[\w-]*$/;

/**
 * The names by which upstreams may read a parameter, whatever its spelling: to some upstream, two parameters that share
 * one of them are the same. Case never counts, and `name[…` counts as `name`.
 */
export function parameterIdentities({ raw, name }: Readonly<Pick<QueryParameter, "raw" | "name">>): readonly string[] {
  const lower = name.toLowerCase();
  if (plainName.test(lower)) return [lower];
  return readings.map((read) => read(lower, raw));
}

/** Each reads a name as one framework does; frameworks differ, and not their versions alone. */
const readings: readonly ((name: string, raw: string) => string)[] = [
  (name) => beforeBracket(name),
  readByPhp,
  // Rack 2 and qs: brackets in front of a name mean nothing.
  (name) => /^[[\]]*([^[\]]*)/.exec(name)?.[1] ?? "",
  // Where the query is cut at its "?" and given to URLSearchParams, a further one in front means nothing either.
  (name) => beforeBracket(name.replace(/^\?+/, "")),
  // ASP.NET: a[b] is a.b, and a[] is a.
  (name) => name.replace(/\[([^[\]]*)\]/g, (_, key: string) => (key === "" ? "" : `.${key}`)),
  // ASP.NET before Core also knows %uXXXX.
  (name, raw) => beforeBracket(holdsUnicodeEscape(raw) ? decodedName(raw) : name),
];

/** Blanks in front go, a NUL ends the name, and what a variable's name cannot hold becomes `_`. */
function readByPhp(name: string): string {
  const [kept = ""] = name.split("\0", 1);
  const trimmed = kept.replace(/^ +/, "");
  const bracket = trimmed.indexOf("[");
  const isArray = bracket !== -1 && trimmed.includes("]", bracket);
  return (isArray ? trimmed.slice(0, bracket) : trimmed).replace(/[ .[]/g, "_");
}

function beforeBracket(name: string): string {
  const bracket = name.indexOf("[");
  return bracket === -1 ? name : name.slice(0, bracket);
}

function decodedName(raw: string): string {
  const end = raw.indexOf("=");
  return formDecodeUnicode(end === -1 ? raw : raw.slice(0, end)).toLowerCase();
}

/** What is left of a header would be longer than headers may be. */
export const tooLong = Symbol("too long");

/** Characters of a header, all of its lines together. */
export const longestValue = 65_536;

/** Puts a text in the place of another one wherever that stands; what was put in is not looked through again. */
export function replaceText(value: string, find: string, replacement: string): string | typeof tooLong {
  let replaced = "";
  let from = 0;
  for (let at = value.indexOf(find); at !== -1; at = value.indexOf(find, from)) {
    replaced += value.slice(from, at) + replacement;
    from = at + find.length;
    if (replaced.length > longestValue) return tooLong;
  }
  return replaced.length + value.length - from > longestValue ? tooLong : replaced + value.slice(from);
}

/** An origin that is looked for, and the texts around it. */
type WantedOrigin = Readonly<{ origin: string; before: string; behind: string }>;

const endOfOrigin = /^(?:[/?#]|$)/;

/**
 * Puts a text in the place of an origin: with or without its default port, and not where a longer name or number begins
 * with it. Path and query stay, with one slash between.
 */
export function replaceOrigin(
  value: string,
  { origin, before, behind }: WantedOrigin,
  replacement: string,
): string | typeof tooLong {
  const lowerCase = value.toLowerCase();
  const spellings = spellingsOf(origin.toLowerCase());
  let replaced = "";
  let from = 0;
  for (let at = lowerCase.indexOf("http"); at !== -1; at = lowerCase.indexOf("http", Math.max(at + 1, from))) {
    const spelling = spellings.find(
      (one) => lowerCase.startsWith(one, at) && endOfOrigin.test(value.slice(at + one.length, at + one.length + 1)),
    );
    const start = at - before.length;
    if (spelling === undefined || start < from || !value.startsWith(before, start)) continue;
    const end = at + spelling.length;
    if (!value.startsWith(behind, end)) continue;
    const rest = end + behind.length;
    replaced += value.slice(from, start) + joined(replacement, behind === "" ? value[rest] : undefined);
    from = rest;
    if (replaced.length > longestValue) return tooLong;
  }
  return replaced.length + value.length - from > longestValue ? tooLong : replaced + value.slice(from);
}

/** A text that goes before a slash needs none of its own; nothing at all still leads to a path. */
function joined(replacement: string, next: string | undefined): string {
  if (next === "/") return replacement.endsWith("/") ? replacement.slice(0, -1) : replacement;
  return replacement === "" ? "/" : replacement;
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": ":80", "https:": ":443" };

/** The longer one first. */
function spellingsOf(origin: string): readonly string[] {
  const standard = defaultPorts[origin.slice(0, origin.indexOf("/"))] ?? "";
  const hasPort = /:\d+$/.test(origin);
  return hasPort ? [origin] : [origin + standard, origin];
}

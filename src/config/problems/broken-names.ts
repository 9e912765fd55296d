import { secretNamed, secretNamedBeforeBracket } from "./secret-by-place.ts";

/** The name of a secret, and where its value comes. */
type FoundName = Readonly<{ meant: string; behind: number }>;

// What may be a name, or a part of one that something has got into.
const run = /[\w$.-]+/g;
const longestRun = 128;
const withinName = /^[^\s\w]\s?$|^\s$/;
// A value in the query of a template has its own rule.
const inQuery = /[?&]/;
const signOfQuery = /^[^\s\w:]*=/;

const separated = /[^\s\w]{0,3}?\s*[:=]+(?!\/\/)/y;
const closed = /["'`\\’”]*[ \t]*/y;
const bracketBeforeValue = /[}\]]\s*["\w[{]/y;
const beforeBracket = /["'`\\’”\s]*(?:[:=]+\s*)?[[{]/y;
const beforeValues = /[:=[/?&(\w]/;
const beginsName = /[\s"'`\\,‘“]/;
const blankOrQuote = /[\s"'`\\‘“]/;

/** Prepares to find the next name of a secret before which nothing says that it is a value; it may be broken itself. */
export function createFindName(text: string): (start: number, end: number) => FoundName | undefined {
  return function findName(start, end) {
    run.lastIndex = start;
    let before = { at: start, name: "" };
    for (let found = run.exec(text); found !== null && found.index < end; found = run.exec(text)) {
      const { 0: name, index: at } = found;
      const behind = run.lastIndex;
      if (name.length > longestRun) continue;
      const gap = text.slice(before.at + before.name.length, at);
      const joined = withinName.test(gap) ? before.name + name : name;
      before = { at, name };
      const meant = nameOf(name, behind) ?? (joined === name ? undefined : nameOf(joined, behind));
      const value = meant === undefined ? undefined : valueBehind(at, behind);
      if (value !== undefined) return { meant: meant!, behind: value };
      run.lastIndex = behind;
    }
    return undefined;
  };

  function nameOf(name: string, behind: number): string | undefined {
    return (
      secretNamed(name) ?? (endOf(beforeBracket, behind) === undefined ? undefined : secretNamedBeforeBracket(name))
    );
  }

  function valueBehind(at: number, behind: number): number | undefined {
    const separator = endOf(separated, behind);
    if (separator !== undefined) return isInQuery(at, text.slice(behind, separator)) ? undefined : separator;
    const next = endOf(closed, behind)!;
    return isInPlaceOfName(at) && mayComeBeforeValue(next, next > behind) ? next : undefined;
  }

  function isInQuery(at: number, separator: string): boolean {
    return inQuery.test(text[at - 1] ?? "") && signOfQuery.test(separator);
  }

  /** Whether nothing in front says that it is a value, or a part of one. */
  function isInPlaceOfName(at: number): boolean {
    let before = at - 1;
    if (before >= 0 && !beginsName.test(text[before]!)) return false;
    while (before >= 0 && blankOrQuote.test(text[before]!)) before -= 1;
    return before < 0 || !beforeValues.test(text[before]!);
  }

  function mayComeBeforeValue(at: number, isClosed: boolean): boolean {
    const next = text[at];
    if (next === "}" || next === "]") return endOf(bracketBeforeValue, at) !== undefined;
    return next !== undefined && (next !== "," || isClosed);
  }

  function endOf(pattern: RegExp, start: number): number | undefined {
    pattern.lastIndex = start;
    return pattern.test(text) ? pattern.lastIndex : undefined;
  }
}

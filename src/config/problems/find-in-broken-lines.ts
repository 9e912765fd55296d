import type { Span } from "../../json/json-node.ts";
import { walkJson } from "../../json/walk-json.ts";
import type { Steps } from "../../time-slices.ts";
import { endOfCleanValue, endOfUnclearValue, startOfValue } from "./broken-values.ts";
import { createFindName } from "./broken-names.ts";
import { mayShow } from "./secret-keys.ts";

const nothing = { opened: ignore, closed: ignore, named: ignore, valued: ignore };

function ignore(): void {
  // Only the faults are asked for.
}

/**
 * Finds secrets in the lines of a text that cannot be read as JSON, by the names in front of them. Where it cannot be told
 * where a value ends, all that follows in its line is taken for it. Undefined where the text can be read.
 */
export function* findInBrokenLines(text: string): Steps<readonly Span[] | undefined> {
  const broken: Span[] = [];
  const failed = (_name: string, start: number, length: number): void => {
    // A line may have very many faults: it is looked for once.
    if (start + length <= (broken.at(-1)?.end ?? -1)) return;
    addLines(broken, { start: startOfLines(text, start), end: endOfLine(text, start + length) });
  };
  yield* walkJson(text, { ...nothing, failed });
  if (broken.length === 0) return undefined;
  const found: Span[] = [];
  for (const { start, end } of broken) {
    yield;
    const scanned = found.at(-1)?.end ?? 0;
    if (scanned < end) found.push(...findByNames(text, { start: Math.max(start, scanned), end }));
  }
  return found;
}

/** Neighbouring lines are scanned together: a name may be broken by the end of one. */
function addLines(broken: Span[], lines: Span): void {
  const last = broken.at(-1);
  if (last === undefined || lines.start > last.end + 1) broken.push(lines);
  else broken[broken.length - 1] = { start: last.start, end: Math.max(last.end, lines.end) };
}

/** Finds values behind names of secrets in a part of a text, whatever it is: lines that are broken, or a comment. */
export function findByNames(text: string, { start, end }: Span): readonly Span[] {
  const findName = createFindName(text);
  const found: Span[] = [];
  let masked = start;
  for (let name = findName(start, end); name !== undefined;) {
    const { meant, behind } = name;
    if (startOfValue(text, behind) < masked) {
      name = findName(behind, end);
      continue;
    }
    const clean = endOfCleanValue(text, behind);
    const last = clean ?? endOfUnclearValue(text, behind);
    const value = clean === undefined ? undefined : text.slice(behind, clean).trim();
    if (value === undefined || !(isNothing.test(value) || mayShow(meant, value)))
      found.push({ start: behind, end: last });
    masked = last;
    // What is masked because its end is unclear may hold the name of a value behind it.
    name = findName(clean ?? behind, end);
  }
  return found;
}

const isNothing = /^(?:""|null|true|false)$/;

/** A fault may be about a value whose name stands in an earlier line. */
function startOfLines(text: string, at: number): number {
  let before = at - 1;
  while (before > 0 && isBlank.test(text[before]!)) before -= 1;
  return text.lastIndexOf("\n", before) + 1;
}

const isBlank = /\s/;

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

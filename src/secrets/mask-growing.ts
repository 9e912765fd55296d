import { findValues } from "./find-secret-values.ts";
import { maskSpans } from "./spans.ts";

const wholePieces = { wholePieces: true };

/**
 * Makes the function that masks values which become ever more while a configuration is read. They are prepared in groups
 * that are put together as they become as large as each other: to prepare all of them for each text would take long.
 */
export function createMaskGrowing(values: ReadonlySet<string>): (text: string) => string {
  let groups: readonly (readonly string[])[] = [];
  let known = 0;
  return function maskKnown(text) {
    if (values.size > known) groups = joinEqual([...groups, [...values].slice(known)]);
    known = values.size;
    const spans = groups.flatMap((group) => findValues(text, group, wholePieces));
    return spans.length === 0 ? text : maskSpans(text, spans);
  };
}

function joinEqual(groups: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const [last = [], before = []] = groups.toReversed();
  if (before.length === 0 || before.length > last.length) return groups;
  return joinEqual([...groups.slice(0, -2), [...before, ...last]]);
}

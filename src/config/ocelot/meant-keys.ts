import { closestName } from "../../closest-name.ts";
import { oldKeys } from "../../schema/old-keys.ts";
import { allSections, type SectionName } from "../sections.ts";
import { missingLocks } from "./keys-without-effect.ts";
import { unsupportedKeys } from "./unsupported-keys.ts";

type MeantKeys = Readonly<{
  /** What a mistyped name may have meant, and what that is called today. */
  candidates: ReadonlyMap<string, string>;
  suggestions: Map<string, string | undefined>;
}>;

// They outlive the configuration: one with very many mistyped names must not fill the memory.
const mostSuggestions = 1_000;

const meantKeys = new Map<SectionName, MeantKeys>(
  allSections.map((section) => [section.name, { candidates: new Map(candidatesOf(section)), suggestions: new Map() }]),
);

/** What mistyped keys of a section may have meant, and what each of them is called today. */
export function candidatesIn(section: SectionName): ReadonlyMap<string, string> {
  return meantKeys.get(section)!.candidates;
}

/** The key that a mistyped key of a section most likely means, as it is called today; undefined where none is near. */
export function findMeantKey(section: SectionName, name: string): string | undefined {
  const { candidates, suggestions } = meantKeys.get(section)!;
  if (suggestions.size > mostSuggestions) suggestions.clear();
  if (!suggestions.has(name)) suggestions.set(name, closestName(name, candidates.keys()));
  const closest = suggestions.get(name);
  return closest && candidates.get(closest);
}

/** Within what guards something, only the keys that it has are told. */
function candidatesOf({ name: section, keys, isLock }: (typeof allSections)[number]): readonly [string, string][] {
  const own = Object.keys(keys).map((name): [string, string] => [name, name]);
  if (isLock === true) return own;
  const others = [...Object.keys(missingLocks[section] ?? {}), ...Object.keys(unsupportedKeys[section] ?? {})];
  return [
    ...own,
    ...others.map((name): [string, string] => [name, name]),
    ...(oldKeys[section] ?? []).map(({ name, today }): [string, string] => [name, today ?? name]),
  ];
}

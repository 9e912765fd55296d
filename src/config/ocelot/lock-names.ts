import { editDistance } from "../../closest-name.ts";
import { locks, mistakenKeys, tellingKeys } from "./locks.ts";

/** The lock that a name outside of its place speaks of; a name that is spelt otherwise may mean it. */
export type MeantLock = Readonly<{ lock: string; name: string; isExact: boolean }>;

// Shorter names are near to too many other words. A letter put between two that were swapped counts as three edits.
const shortestFuzzyName = 8;
const longName = 12;

const lockNames: readonly MeantLock[] = [
  ...Object.keys(locks).map((lock) => ({ lock, name: lock, isExact: true })),
  ...Object.entries(tellingKeys).flatMap(([lock, names]) => names.map((name) => ({ lock, name, isExact: true }))),
];

const byLowerCase = new Map(lockNames.map((meant) => [meant.name.toLowerCase(), meant]));

// Compared as they are: so short, they are near to other words.
const byMistakenName = new Map(
  lockNames.flatMap((meant) =>
    (mistakenKeys[meant.name] ?? []).map((name) => [name.toLowerCase(), { ...meant, isExact: false }] as const),
  ),
);

/** The lock whose name this is, or would be but for two slips; undefined where it is none. */
export function findMeantLock(name: string): MeantLock | undefined {
  const wanted = name.toLowerCase();
  const exact = byLowerCase.get(wanted) ?? byMistakenName.get(wanted);
  if (exact !== undefined) return exact;
  let nearest: MeantLock | undefined;
  let least = Infinity;
  for (const [lowerCase, meant] of byLowerCase) {
    const mostEdits = lowerCase.length < longName ? 2 : 3;
    if (lowerCase.length < shortestFuzzyName || Math.abs(lowerCase.length - wanted.length) > mostEdits) continue;
    const distance = editDistance(wanted, lowerCase, mostEdits + 1);
    if (distance <= mostEdits && distance < least) [nearest, least] = [meant, distance];
  }
  return nearest && { ...nearest, isExact: false };
}

// In an object that nobody reads they are more likely another program's.
const wordsOfMany: ReadonlySet<string> = new Set(["limit", "period"]);

/** The same for what may stand in any object: a section that is a lock, or one of its keys exactly as it is spelt. */
export function findHiddenLock(name: string): MeantLock | undefined {
  const meant = findMeantLock(name);
  if (meant === undefined || meant.name === meant.lock) return meant;
  return meant.isExact && !wordsOfMany.has(name.toLowerCase()) ? meant : undefined;
}

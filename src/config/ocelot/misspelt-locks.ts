import { editDistance } from "../../closest-name.ts";
import type { Section } from "../../schema/key.ts";
import type { Place } from "../../json/place.ts";
import type { Reading } from "../read/reading.ts";
import type { SectionName } from "../sections.ts";
import { hasEntries } from "./has-entries.ts";
import { homeOf } from "./misplaced-keys.ts";
import { locks, mistakenKeys, mistakenOnRoutes, ownLocks, tellingKeys } from "./locks.ts";
import { findMeantKey } from "./meant-keys.ts";
import { definesScheme, reportScheme } from "./schemes-defined-on-routes.ts";

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
const byMistakenName = mistakenNames(mistakenKeys);
const byNameOnRoutes = mistakenNames(mistakenOnRoutes);

function mistakenNames(table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, MeantLock> {
  const found = lockNames.flatMap((meant) =>
    (table[meant.name] ?? []).map((name) => [name.toLowerCase(), { ...meant, isExact: false }] as const),
  );
  return new Map(found);
}

const ofRoutes: ReadonlySet<SectionName> = new Set(["route", "dynamicRoute", "global"]);

/** The lock that a key of a section stands for under its own name, under another one, or but for two slips. */
export function findLockByAnyName(name: string, section: SectionName): MeantLock | undefined {
  const wanted = name.toLowerCase();
  const mistaken = byMistakenName.get(wanted) ?? (ofRoutes.has(section) ? byNameOnRoutes.get(wanted) : undefined);
  return mistaken ?? findMeantLock(name);
}

/** The lock whose name this is, or would be but for two slips; undefined where it is none. */
export function findMeantLock(name: string): MeantLock | undefined {
  const wanted = name.toLowerCase();
  const exact = byLowerCase.get(wanted);
  if (exact !== undefined) return exact;
  let nearest: MeantLock | undefined;
  let least = Infinity;
  for (const [lowerCase, meant] of byLowerCase) {
    const distance = slipsBetween(wanted, lowerCase);
    if (distance < least) [nearest, least] = [meant, distance];
  }
  return nearest && { ...nearest, isExact: false };
}

/** How many edits a name in lower case is away from that of a lock; infinitely many where it is not near. */
function slipsBetween(wanted: string, lock: string): number {
  const mostEdits = lock.length < longName ? 2 : 3;
  if (lock.length < shortestFuzzyName || Math.abs(lock.length - wanted.length) > mostEdits) return Infinity;
  const distance = editDistance(wanted, lock, mostEdits + 1);
  return distance <= mostEdits ? distance : Infinity;
}

/** The lock that only this gateway has, that a section may hold, and that a name is but for two slips; undefined where it is none. */
export function findOwnLock(name: string, candidates: ReadonlyMap<string, string>): MeantLock | undefined {
  const wanted = name.toLowerCase();
  return nearestLock(
    [...ownLocks].find((lock) => candidates.has(lock) && slipsBetween(wanted, lock.toLowerCase()) < Infinity),
  );
}

/** The lock that a mistyped key of a section is nearest to; undefined where that is no lock. */
export function nearestLock(closest: string | undefined): MeantLock | undefined {
  const isLock = closest !== undefined && (closest in locks || ownLocks.has(closest));
  return isLock ? { lock: closest, name: closest, isExact: false } : undefined;
}

/** What is said where something is taken for a lock that may be a note of the user's. */
const noteAdvice = 'correct it, or begin its name with "x-" if it is a note of yours';

type Standing = Readonly<{ place: Place; section: SectionName | undefined }>;

/** Refuses what looks like a lock where it guards nothing, or is spelt so that it does; false where it is empty. */
export function reportLockAt(
  { lock, name, isExact }: MeantLock,
  { place, section }: Standing,
  reading: Reading,
): boolean {
  if (!hasEntries(place.node)) return false;
  if (reading.isAcknowledged(lock) && locks[lock]?.missing !== undefined) {
    reading.report("lock-acknowledged", place, `"${lock}" is not enforced by this gateway, as acknowledged`);
    return true;
  }
  const written = JSON.stringify(String(place.key));
  const home = homeOf(name, section);
  if (isExact) reading.report("lock-misplaced", place, `${written} guards nothing here: it belongs into ${home}`);
  else {
    const found = `${written} guards nothing, and looks like "${locks[name]?.missing?.today ?? name}", which would`;
    reading.report("lock-misspelt", place, `${found}: ${noteAdvice}`);
  }
  return true;
}

/** Refuses an unknown key within a lock that the gateway enforces. */
export function reportUnknownLockKey({ name, heading }: Section, at: Place, reading: Reading): void {
  const key = String(at.key);
  if (name === "authentication" && definesScheme(key)) return reportScheme(at, reading.report);
  const closest = findMeantKey(name, key);
  const hint = closest === undefined ? "" : ` – did you mean "${closest}"?`;
  const found = `${JSON.stringify(key)} is no key of "${heading}", which guards something`;
  reading.report("lock-key-unknown", at, `${found}: ${noteAdvice}${hint}`);
}

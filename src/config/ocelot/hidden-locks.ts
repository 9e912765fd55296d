import { placeWithin, type Place } from "../../json/place.ts";
import type { Reading } from "../read/reading.ts";
import { findMeantLock, type MeantLock, reportLockAt } from "./misspelt-locks.ts";
import { usersOwn } from "./users-own-keys.ts";

/** Refuses locks within an object that nobody reads. */
export function reportHiddenLocks(place: Place, reading: Reading): void {
  const { node } = place;
  if (node.kind === "array") {
    node.items.forEach((item, index) => reportHiddenLocks(placeWithin(place, index, item), reading));
  }
  if (node.kind !== "object") return;
  for (const member of node.members) {
    if (usersOwn.test(member.name)) continue;
    const at = placeWithin(place, member.name, member.node);
    const meant = findHiddenLock(member.name);
    const standing = { place: { ...at, span: member.nameSpan }, section: undefined };
    if (meant === undefined || !reportLockAt(meant, standing, reading)) reportHiddenLocks(at, reading);
  }
}

/** Refuses a lock among texts of the user's own, under exactly its name. */
export function reportLockIn(place: Place, reading: Reading): void {
  const meant = findMeantLock(String(place.key));
  if (meant?.isExact === true && meant.name === meant.lock) reportLockAt(meant, { place, section: undefined }, reading);
}

// In an object that nobody reads they are more likely another program's.
const wordsOfMany: ReadonlySet<string> = new Set(["limit", "period"]);

/** The same for what may stand in any object: a section that is a lock, or one of its keys exactly as it is spelt. */
function findHiddenLock(name: string): MeantLock | undefined {
  const meant = findMeantLock(name);
  if (meant === undefined || meant.name === meant.lock) return meant;
  return meant.isExact && !wordsOfMany.has(name.toLowerCase()) ? meant : undefined;
}

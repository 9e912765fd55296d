import { noteAdvice } from "./judge-lock.ts";
import { homeOf } from "./key-homes.ts";
import type { SectionName } from "../sections.ts";
import { findHiddenLock, type MeantLock } from "./lock-names.ts";
import { locks } from "./locks.ts";
import { hasEntries } from "./has-entries.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import type { Reading } from "../read/reading.ts";
import { usersOwn } from "./users-own.ts";

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
    const found = `${written} guards nothing, and looks like "${name}", which would`;
    reading.report("lock-misspelt", place, `${found}: ${noteAdvice}`);
  }
  return true;
}

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

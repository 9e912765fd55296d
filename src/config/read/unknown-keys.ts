import { reportHiddenLocks } from "../ocelot/hidden-locks.ts";
import { isEmptyNode } from "../../json/json-node.ts";
import { judgeLock } from "../ocelot/judge-lock.ts";
import { homeOf } from "../ocelot/misplaced-keys.ts";
import {
  findLockByAnyName,
  findOwnLock,
  nearestLock,
  reportLockAt,
  reportUnknownLockKey,
} from "../ocelot/misspelt-locks.ts";
import type { Missing } from "../ocelot/locks.ts";
import { candidatesIn, findMeantKey } from "../ocelot/meant-keys.ts";
import { missingLocks } from "../ocelot/keys-without-effect.ts";
import { asksForNothing } from "../ocelot/asks-for-nothing.ts";
import { oldKeys, type OldKey } from "../../schema/old-keys.ts";
import { findMember, isUnwritten, type Place } from "../../json/place.ts";
import { reportRepeats } from "./report-repeats.ts";
import type { Reading } from "./reading.ts";
import { allSections, type SectionName } from "../sections.ts";
import { unsupportedKeys } from "../ocelot/unsupported-keys.ts";
import { usersOwn } from "../ocelot/users-own-keys.ts";

/** A member that is written in an old spelling. */
export type OldMember = Readonly<{ oldKey: OldKey; place: Place }>;

type Named<Value> = ReadonlyMap<string, Readonly<{ name: string; value: Value }>>;

type OtherKeys = Readonly<{
  old: Named<OldKey>;
  locks: Named<Missing>;
  unsupported: Named<string>;
}>;

const lockSections = new Map(allSections.filter(({ isLock }) => isLock).map((section) => [section.name, section]));

const otherKeys = new Map(allSections.map(({ name }) => [name, otherKeysOf(name)]));

/** Judges a key that is not read: an old spelling (handed back), a lock, a key of Ocelot's, or an unknown one. */
export function judgeUnreadKey(section: SectionName, place: Place, reading: Reading): readonly OldMember[] {
  const name = String(place.key);
  if (usersOwn.test(name) || /^extensions$/i.test(name)) return [];
  const keys = otherKeys.get(section)!;
  const lower = name.toLowerCase();
  const old = keys.old.get(lower);
  if (old !== undefined) return isEmptyNode(place.node) ? [] : [{ oldKey: old.value, place }];
  const lockSection = lockSections.get(section);
  const lock = keys.locks.get(lower);
  const unsupported = keys.unsupported.get(lower);
  if (lockSection !== undefined) reportUnknownLockKey(lockSection, place, reading);
  else if (lock !== undefined) judgeLock({ name: lock.name, place }, lock.value, reading);
  else if (unsupported !== undefined) noteUnsupported(section, unsupported, place, reading);
  else judgeUnknown(section, place, reading);
  return [];
}

function noteUnsupported(
  section: SectionName,
  { name, value: advice }: Readonly<{ name: string; value: string }>,
  place: Place,
  reading: Reading,
): void {
  reportRepeats(place, reading, (member) => member.toLowerCase());
  reportHiddenLocks(place, reading);
  if (asksForNothing(name, place.node) || reading.isAcknowledged(name)) return;
  // What is said of another provider's type goes for all of it.
  if (section === "provider" && isOtherProvider(place.parent!)) return;
  reading.report("key-unsupported", place, `${JSON.stringify(name)} has no effect in this gateway: ${advice}`);
}

function isOtherProvider(provider: Place): boolean {
  const type = findMember(provider, "Type")?.node;
  return type === undefined || !("text" in type) || !/^\s*service(cluster|fabric)\s*$/i.test(type.text);
}

function judgeUnknown(section: SectionName, place: Place, reading: Reading): void {
  const name = String(place.key);
  const meant = findOwnLock(name, candidatesIn(section)) ?? findLockByAnyName(name, section);
  if (meant !== undefined && reportLockAt(meant, { place, section }, reading)) return;
  const closest = findMeantKey(section, name);
  const guess = nearestLock(closest);
  if (guess !== undefined && reportLockAt(guess, { place, section }, reading)) return;
  reportHiddenLocks(place, reading);
  reportUnknown(section, { place, closest }, reading);
}

function reportUnknown(
  section: SectionName,
  { place, closest }: Readonly<{ place: Place; closest: string | undefined }>,
  reading: Reading,
): void {
  const name = String(place.key);
  const home = homeOf(name, section);
  if (home !== undefined && isEmptyNode(place.node)) return;
  const guess =
    closest === undefined
      ? ": remove it, unless something else reads it"
      : ` – did you mean "${closest}"?${widened(section, closest, place.parent!)}`;
  const hint = home === undefined ? guess : ` – it belongs into ${home}`;
  reading.report("key-unknown", place, `${JSON.stringify(name)} is unknown here and has no effect${hint}`);
}

const takenWithout: Readonly<Record<string, string>> = {
  UpstreamHttpMethod: "requests of every method",
  UpstreamHost: "requests for every host",
  UpstreamHeaderTemplates: "requests whatever their headers are",
};

/** What a route takes that lacks the key which was meant to narrow that. */
function widened(section: SectionName, meant: string, owner: Place): string {
  const taken = section === "route" || section === "aggregate" ? takenWithout[meant] : undefined;
  if (taken === undefined || !isUnwritten(owner, meant)) return "";
  return ` Without it the ${section} takes ${taken}`;
}

function otherKeysOf(section: SectionName): OtherKeys {
  return {
    old: byLowerCase((oldKeys[section] ?? []).map((oldKey) => [oldKey.name, oldKey])),
    locks: byLowerCase(Object.entries(missingLocks[section] ?? {})),
    unsupported: byLowerCase(Object.entries(unsupportedKeys[section] ?? {})),
  };
}

function byLowerCase<Value>(entries: readonly (readonly [string, Value])[]): Named<Value> {
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), { name, value }]));
}

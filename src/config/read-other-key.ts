import { closestKey } from "../closest-key.ts";
import { describeNode, isEmptyNode, type JsonNode } from "./json-node.ts";
import { knownKeys, type SectionName } from "./known-keys.ts";
import { routeSources, type Lock } from "./locks.ts";
import { lockTables } from "./missing-keys.ts";
import { oldKeys, type OldKey } from "./old-keys.ts";
import type { Place } from "./place.ts";
import { reportRepeats } from "./read-metadata.ts";
import type { Reading } from "./reading.ts";
import { unsupportedKeys } from "./unsupported-keys.ts";

/** A member that is written in an old spelling. */
export type OldMember = Readonly<{ oldKey: OldKey; place: Place }>;

type Named<Value> = ReadonlyMap<string, Readonly<{ name: string; value: Value }>>;

type OtherKeys = Readonly<{
  old: Named<OldKey>;
  locks: Named<Lock>;
  unsupported: Named<string>;
  /** What a mistyped name may have meant. */
  candidates: readonly string[];
  suggestions: Map<string, string | undefined>;
}>;

// What users keep for themselves, wherever it stands.
const usersOwn = /^(x-|\$|extensions$)/;

const otherKeys = new Map(Object.keys(knownKeys).map((section) => [section, otherKeysOf(section as SectionName)]));

/** Judges a key that is not read: an old spelling (handed back), a lock, a key of Ocelot's, or an unknown one. */
export function readOtherKey(section: SectionName, place: Place, reading: Reading): readonly OldMember[] {
  const name = String(place.key).toLowerCase();
  if (usersOwn.test(name)) return [];
  const keys = otherKeys.get(section)!;
  const old = keys.old.get(name);
  if (old !== undefined) return isEmptyNode(place.node) ? [] : [{ oldKey: old.value, place }];
  const lock = keys.locks.get(name);
  const unsupported = keys.unsupported.get(name);
  if (lock !== undefined) judgeLock(lock.name, lock.value, place, reading);
  else if (unsupported !== undefined) noteUnsupported(unsupported.name, unsupported.value, place, reading);
  else reportUnknown(keys, section, place, reading);
  return [];
}

function judgeLock(name: string, lock: Lock, place: Place, reading: Reading): void {
  reportRepeats(place, reading, (member) => member.toLowerCase());
  if (!lock.isActive(place.node)) return;
  const quoted = JSON.stringify(name);
  if (reading.isAcknowledged(name)) {
    reading.report("lock-acknowledged", place, `${quoted} is not enforced by this gateway, as acknowledged`);
    return;
  }
  const acknowledge = `name ${quoted} in acknowledgeUnsupported (--acknowledge on the command line) to start without it`;
  const code = name in routeSources ? "routes-unsupported" : "lock-unfulfilled";
  reading.report(code, place, `${quoted} is not implemented, so ${lock.loss}: ${lock.instead}, or ${acknowledge}`);
}

function noteUnsupported(name: string, advice: string, place: Place, reading: Reading): void {
  reportRepeats(place, reading, (member) => member.toLowerCase());
  if (isDefault(place.node) || reading.isAcknowledged(name)) return;
  reading.noteUnsupported(name, place, advice);
}

/** What tools write for a key that nobody set: it asks for nothing that would be missing. */
function isDefault(node: JsonNode): boolean {
  return isEmptyNode(node) || (node.kind === "number" && Number(node.text) === 0) || describeNode(node) === "false";
}

function reportUnknown(keys: OtherKeys, section: SectionName, place: Place, reading: Reading): void {
  const name = String(place.key);
  if (!keys.suggestions.has(name)) keys.suggestions.set(name, suggest(keys, section, name));
  const hint = keys.suggestions.get(name);
  reading.report("key-unknown", place, `${JSON.stringify(name)} is unknown here and has no effect${hint}`);
}

function suggest({ candidates }: OtherKeys, section: SectionName, name: string): string {
  const closest = closestKey(name, candidates);
  if (closest !== undefined) return ` – did you mean ${JSON.stringify(closest)}?`;
  const home = homes.find((other) => other.section !== section && other.keys.has(name.toLowerCase()));
  return home === undefined ? "" : ` – it belongs into ${home.title}`;
}

const homes = [
  { section: "root", title: "the top level", keys: lowerCaseKeys("root") },
  { section: "global", title: '"GlobalConfiguration"', keys: lowerCaseKeys("global") },
  { section: "route", title: 'an entry of "Routes"', keys: lowerCaseKeys("route") },
  { section: "options", title: '"MetadataOptions"', keys: lowerCaseKeys("options") },
  { section: "provider", title: '"ServiceDiscoveryProvider"', keys: lowerCaseKeys("provider") },
] as const;

function lowerCaseKeys(section: SectionName): ReadonlySet<string> {
  return new Set(Object.keys(knownKeys[section]).map((key) => key.toLowerCase()));
}

function otherKeysOf(section: SectionName): OtherKeys {
  const old = oldKeys[section] ?? [];
  const lockTable = lockTables[section] ?? {};
  const unsupported = unsupportedKeys[section] ?? {};
  return {
    old: byLowerCase(old.map((oldKey) => [oldKey.name, oldKey])),
    locks: byLowerCase(Object.entries(lockTable)),
    unsupported: byLowerCase(Object.entries(unsupported)),
    candidates: [...Object.keys(knownKeys[section]), ...Object.keys(lockTable), ...Object.keys(unsupported)],
    suggestions: new Map(),
  };
}

function byLowerCase<Value>(entries: readonly (readonly [string, Value])[]): Named<Value> {
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), { name, value }]));
}

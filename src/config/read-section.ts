import { describeNode, isEmptyNode, nodeToValue, type JsonArray, type JsonMember, type JsonNode } from "./json-node.ts";
import { knownKeys, valueSchemas, type KeyKind, type SectionName } from "./known-keys.ts";
import { placeWithin, type Place } from "./place.ts";
import { readHeaderTemplates, readMetadata, reportRepeat, reportRepeats } from "./read-metadata.ts";
import { readOldKeys, type OldKeyOwner } from "./read-old-keys.ts";
import { readOtherKey, type OldMember } from "./read-other-key.ts";
import { readList, readScalar, readWord } from "./read-value.ts";
import type { Reading } from "./reading.ts";

/** The values of one object by canonical key; only what was written and could be read. */
export type SectionValues = Record<string, unknown>;

type KeyPlace = Readonly<{ section: SectionName; key: string; place: Place }>;

const canonicalKeys = new Map(
  Object.entries(knownKeys).map(([section, keys]) => [
    section,
    new Map(Object.keys(keys).map((key) => [key.toLowerCase(), key])),
  ]),
);

/** The key a name stands for: nearly always the name itself, else the one that differs in case only. */
function canonicalKey(section: SectionName, name: string): string | undefined {
  return Object.hasOwn(knownKeys[section], name) ? name : canonicalKeys.get(section)!.get(name.toLowerCase());
}

/** Keys whose value 0 counts as absent: Ocelot's default is 0, which tools write out. */
export const zeroIsAbsent: ReadonlySet<string> = new Set(["Timeout", "Port"]);

/** Reads one object of the configuration; undefined where it is none. */
export function readSection(section: SectionName, place: Place, reading: Reading): SectionValues | undefined {
  if (place.node.kind !== "object") {
    reading.report("wrong-type", place, `expected an object, found ${describeNode(place.node)}`);
    return undefined;
  }
  const values: SectionValues = {};
  const oldMembers: OldMember[] = [];
  for (const member of membersOnce(place, place.node.members, reading)) {
    const at = placeWithin(place, member.name, member.node);
    const key = canonicalKey(section, member.name);
    if (key !== undefined) readInto(values, { section, key, place: at }, reading);
    else oldMembers.push(...readOtherKey(section, { ...at, span: member.nameSpan }, reading));
  }
  const owner: OldKeyOwner = {
    has: (key) => key in values,
    read: (key, at) => readInto(values, { section, key, place: at }, reading),
  };
  readOldKeys(oldMembers, owner, reading);
  return Object.freeze(values);
}

/** Reads the value of a known key into the values; absent ones leave no trace. */
function readInto(values: SectionValues, at: KeyPlace, reading: Reading): void {
  if (isAbsent(at)) return;
  const value = readKey(at, reading);
  if (value !== undefined) values[at.key] = value;
}

function readKey({ section, key, place }: KeyPlace, reading: Reading): unknown {
  const kind = knownKeys[section][key]!;
  if (typeof kind === "object") return readObjects(kind, place, reading);
  return valueReaders[kind](section, key, place, reading);
}

type ValueReader = (section: SectionName, key: string, place: Place, reading: Reading) => unknown;

const valueReaders: Readonly<Record<Extract<KeyKind, string>, ValueReader>> = {
  scalar: (section, key, place, reading) => readScalar(valueSchemas[section][key]!, place, reading),
  word: (section, key, place, reading) => readWord(valueSchemas[section][key]!, place, reading),
  list: (section, key, place, reading) => {
    return readList(valueSchemas[section][key]!, place, reading, section === "options");
  },
  metadata: (_section, _key, place, reading) => readMetadata(place, reading),
  headerTemplates: (_section, _key, place, reading) => readHeaderTemplates(place, reading),
  routes: (_section, _key, place, reading) => expectList(place, reading) && place,
  anything: (_section, _key, place, reading) => {
    reportRepeats(place, reading, (name) => name);
    return nodeToValue(place.node);
  },
};

function readObjects(kind: Exclude<KeyKind, string>, place: Place, reading: Reading): unknown {
  if ("section" in kind) {
    const values = readSection(kind.section, place, reading);
    return isUnset(kind.section, place.node) ? undefined : values;
  }
  const items = expectList(place, reading)?.items;
  // What could not be read keeps its place in the list, so that indexes stay those of the text.
  const read = items?.map((item, index) => readSection(kind.sections, placeWithin(place, index, item), reading));
  return read && Object.freeze(read);
}

function expectList(place: Place, reading: Reading): JsonArray | undefined {
  if (place.node.kind === "array") return place.node;
  reading.report("wrong-type", place, `expected a list of objects, found ${describeNode(place.node)}`);
  return undefined;
}

/** An object of which no key that is read has a value: tools write out every key. */
function isUnset(section: SectionName, node: JsonNode): boolean {
  if (node.kind !== "object") return false;
  return node.members.every((member) => {
    const key = canonicalKey(section, member.name);
    return key === undefined || isAbsentValue(section, key, member.node);
  });
}

function isAbsent({ section, key, place }: KeyPlace): boolean {
  return isAbsentValue(section, key, place.node);
}

function isAbsentValue(section: SectionName, key: string, node: JsonNode): boolean {
  if (section === "options") return node.kind === "null";
  if (isEmptyNode(node)) return true;
  if (!("text" in node)) return false;
  if (key === "ServiceName") return node.text.trim() === "";
  return zeroIsAbsent.has(key) && node.text.trim() !== "" && Number(node.text) === 0;
}

/** The members of an object, the last of each name, since that is the one .NET would take; repeats are reported. */
function membersOnce(place: Place, members: readonly JsonMember[], reading: Reading): readonly JsonMember[] {
  if (!mayRepeat(members)) return members;
  const once = new Map<string, JsonMember>();
  for (const member of members) {
    const name = member.name.toLowerCase();
    const first = once.get(name);
    if (first !== undefined) {
      const at = { ...placeWithin(place, member.name, member.node), span: member.nameSpan };
      reportRepeat(at, first.name, reading);
    }
    once.set(name, member);
  }
  return [...once.values()];
}

/** Whether a name repeats; most objects are small enough to compare without a table. */
function mayRepeat(members: readonly JsonMember[]): boolean {
  if (members.length > 16) return true;
  return members.some(({ name }, index) => {
    for (let other = 0; other < index; other += 1) {
      const earlier = members[other]!.name;
      if (earlier.length === name.length && earlier.toLowerCase() === name.toLowerCase()) return true;
    }
    return false;
  });
}

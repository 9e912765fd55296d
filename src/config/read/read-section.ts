import {
  describeNode,
  isEmptyNode,
  nodeToValue,
  withUnset,
  type JsonArray,
  type JsonMember,
  type JsonNode,
} from "../../json/json-node.ts";
import { reportEmptied } from "./emptied-by-variable.ts";
import { judgeLockParts } from "./empty-parts-of-locks.ts";
import type { Key, Section } from "../../schema/key.ts";
import { mayRepeat } from "../../json/may-repeat.ts";
import { parseAllDigits } from "../../json/parse-all-digits.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import { readClaimExpressions, readClaimValues } from "./read-claims.ts";
import { readHeaderTransforms } from "./read-header-transforms.ts";
import { readHeaderTemplates } from "./read-header-templates.ts";
import { readMetadata } from "./read-metadata.ts";
import { reportRepeat, reportRepeats } from "./report-repeats.ts";
import { readOldKeys, type OldKeyOwner } from "./read-old-keys.ts";
import { readNumber } from "../../schema/values.ts";
import { judgeUnreadKey, type OldMember } from "./unknown-keys.ts";
import { readMethods } from "./read-methods.ts";
import { readList, readScalar, readWord } from "./read-value.ts";
import type { Reading } from "./reading.ts";
import { usersOwn } from "../ocelot/users-own-keys.ts";

/** The values of one object by canonical key; only what was written and could be read. */
type SectionValues = Record<string, unknown>;

type KeyPlace = Readonly<{ section: Section; name: string; place: Place }>;

const canonicalNames = new WeakMap<Section, ReadonlyMap<string, string>>();

/** The key a name stands for: nearly always the name itself, else the one that differs in case only. */
function canonicalName(section: Section, name: string): string | undefined {
  return Object.hasOwn(section.keys, name) ? name : canonicalNamesOf(section).get(name.toLowerCase());
}

function canonicalNamesOf(section: Section): ReadonlyMap<string, string> {
  const known = canonicalNames.get(section);
  if (known !== undefined) return known;
  const names = new Map(Object.keys(section.keys).map((name) => [name.toLowerCase(), name]));
  canonicalNames.set(section, names);
  return names;
}

/** Reads one object of the configuration; undefined where it is none. */
export function readSection(
  section: Section,
  place: Place,
  reading: Reading,
  { describe, form }: Wording = usualWording,
): SectionValues | undefined {
  if (place.node.kind !== "object") {
    reading.report("wrong-type", place, `expected an object${form}, found ${describe(place.node)}`);
    return undefined;
  }
  const values: SectionValues = {};
  const oldMembers: OldMember[] = [];
  const members = place.node.isJoined ? place.node.members : membersOnce(place, place.node.members, reading);
  for (const member of members) {
    const at = placeWithin(place, member.name, member.node);
    const name = canonicalName(section, member.name);
    if (name !== undefined) readInto(values, { section, name, place: at }, reading);
    else oldMembers.push(...judgeUnreadKey(section.name, { ...at, span: member.nameSpan }, reading));
  }
  const owner: OldKeyOwner = {
    has: (name) => name in values,
    read: (name, at) => readInto(values, { section, name, place: at }, reading),
    readInto(name, at) {
      const further: SectionValues = {};
      readInto(further, { section, name, place: at }, reading);
      values[name] = Object.freeze({ ...(further[name] as object | undefined), ...(values[name] as object) });
    },
  };
  readOldKeys(oldMembers, owner, reading);
  return Object.freeze(values);
}

/** Reads the value of a known key into the values; absent ones leave no trace. */
function readInto(values: SectionValues, { section, name, place: written }: KeyPlace, reading: Reading): void {
  const key = section.keys[name]!;
  const place = key.countsUnset ? { ...written, node: withUnset(written.node) } : written;
  if (key.isLock) judgeLockParts(name, place, reading);
  // An object is read all the same: what is wrong with the rest of it is told as well.
  if (key.restricts && reportEmptied(name, place, reading) && place.node.kind !== "object") return;
  if (isAbsent(section, key, place.node)) return;
  const value = readKey(section, key, place, reading);
  if (value === undefined) return;
  values[name] = key.isPath && typeof value === "string" ? reading.resolvePath(value, place.span) : value;
}

function readKey({ keepsEmpty }: Section, key: Key, place: Place, reading: Reading): unknown {
  if (key.kind === "scalar") return readScalar(key.schema, place, reading);
  if (key.kind === "word") return readWord(key.schema, place, reading);
  if (key.kind === "list") return readList(key.schema, place, reading, keepsEmpty === true);
  if (key.kind === "methods") return readMethods(key.schema, place, reading);
  if (key.kind === "section") return readInner(key.section, place, reading);
  if (key.kind === "sections") return readEach(key.section, place, reading, wordingOf(key));
  if (key.kind === "record") return readRecord(key.section, place, reading);
  return freeReaders[key.kind](place, reading);
}

type FreeReader = (place: Place, reading: Reading) => unknown;

type FreeKind = Exclude<Key["kind"], "scalar" | "word" | "list" | "methods" | "section" | "sections" | "record">;

/** The readers of values that no schema describes. */
const freeReaders: Readonly<Record<FreeKind, FreeReader>> = {
  metadata: readMetadata,
  headerTemplates: readHeaderTemplates,
  claimExpressions: readClaimExpressions,
  claimValues: readClaimValues,
  headerTransforms: readHeaderTransforms,
  routes: (place, reading) => expectList(place, reading) && place,
  ignored: () => undefined,
  anything: readFree(JSON.parse),
  exact: readFree(parseAllDigits),
};

function readFree(parse: (json: string) => unknown): FreeReader {
  return function readFreely(place, reading) {
    reportRepeats(place, reading, (name) => name);
    return nodeToValue(place.node, parse);
  };
}

function readInner(section: Section, place: Place, reading: Reading): SectionValues | undefined {
  const values = readSection(section, place, reading);
  // What is written in old spellings has come to values under today's.
  const isEmpty = values === undefined || Object.keys(values).length === 0;
  return isEmpty && isUnset(section, place.node) ? undefined : values;
}

/** How it is told what was found instead of an object, and how one looks. */
type Wording = Readonly<{ describe: typeof describeNode; form: string }>;

const usualWording: Wording = { describe: describeNode, form: "" };

function readEach(section: Section, place: Place, reading: Reading, wording: Wording): unknown {
  const items = expectList(place, reading, wording)?.items;
  // What could not be read keeps its place in the list, so that indexes stay those of the text.
  const read = items?.map((item, index) => readSection(section, placeWithin(place, index, item), reading, wording));
  return read && Object.freeze(read);
}

function readRecord(section: Section, place: Place, reading: Reading): unknown {
  if (place.node.kind !== "object") {
    reading.report("wrong-type", place, `expected objects by name, found ${describeNode(place.node)}`);
    return undefined;
  }
  const read = Object.create(null) as Record<string, SectionValues>;
  for (const member of membersOnce(place, place.node.members, reading)) {
    const values = readSection(section, placeWithin(place, member.name, member.node), reading);
    if (values !== undefined && !usersOwn.test(member.name)) read[member.name] = values;
  }
  return Object.freeze(read);
}

function expectList(place: Place, reading: Reading, { describe, form }: Wording = usualWording): JsonArray | undefined {
  if (place.node.kind === "array") return place.node;
  reading.report("wrong-type", place, `expected a list of objects${form}, found ${describe(place.node)}`);
  return undefined;
}

function wordingOf({ textIsSecret, itemForm }: Key): Wording {
  const form = itemForm === undefined ? "" : ` such as ${itemForm}`;
  if (textIsSecret === undefined) return { describe: describeNode, form };
  const { unless } = textIsSecret;
  return {
    describe: (node) => (node.kind === "string" && !unless.test(node.text) ? "a text" : describeNode(node)),
    form,
  };
}

/** An object of which no key that is read has a value: tools write out every key. */
function isUnset(section: Section, node: JsonNode): boolean {
  if (node.kind !== "object") return false;
  return node.members.every((member) => {
    const name = canonicalName(section, member.name);
    return name === undefined || isAbsent(section, section.keys[name]!, member.node);
  });
}

function isAbsent({ keepsEmpty }: Section, { absent }: Key, node: JsonNode): boolean {
  if (keepsEmpty) return node.kind === "null";
  if (isEmptyNode(node)) return true;
  if (absent === undefined || !("text" in node)) return false;
  return absent === "blank" ? node.text.trim() === "" : readNumber(node.text) === 0;
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

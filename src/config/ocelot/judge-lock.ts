import { describeNode, isEmptyNode, type JsonNode } from "../../json/json-node.ts";
import { hasEntries } from "./has-entries.ts";
import type { Missing } from "./locks.ts";
import { findMember, placeWithin, type Place } from "../../json/place.ts";
import { reportRepeats } from "../read/report-repeats.ts";
import type { Reading } from "../read/reading.ts";

/** A lock as it stands in a configuration. */
type WrittenLock = Readonly<{ name: string; place: Place }>;

/** Judges a lock that the gateway does not enforce: whether its parts are filled, and whether it can be done without. */
export function judgeLock(written: WrittenLock, missing: Missing, reading: Reading): void {
  const { name, place } = written;
  reportRepeats(place, reading, (member) => member.toLowerCase());
  if (reading.isAcknowledged(name)) return acknowledge(written, reading);
  reportEmptyParts(written, reading);
  if (hasEntries(place.node)) reading.report("lock-unfulfilled", place, unfulfilled(name, missing));
}

/** Refuses empty parts of a lock that the gateway enforces. */
export function judgeLockParts(name: string, place: Place, reading: Reading): void {
  if ("isEmptied" in place.node) reportEmptied({ name, place }, reading);
  else if (!isSwitchedOff(place)) reportEmptyParts({ name, place }, reading);
}

/** Refuses what a variable made empty where something restricts who may do what: absent, it would restrict nobody. */
export function reportEmptied({ name, place }: WrittenLock, reading: Reading): boolean {
  if (!holdsEmptied(place.node)) return false;
  const emptied = [place, ...partsOf(place)].filter(({ node }) => "isEmptied" in node);
  for (const part of emptied) {
    const where = part === place ? `and "${name}" guards something` : `within "${name}", which guards something`;
    reading.report("lock-value-empty", part, `a variable made this empty, ${where}: ${fillOrRemove}`);
  }
  return true;
}

function holdsEmptied(node: JsonNode): boolean {
  if (node.kind === "array") return node.items.some(holdsEmptied);
  return node.kind === "object" ? node.members.some((member) => holdsEmptied(member.node)) : "isEmptied" in node;
}

const fillOrRemove = "give the variable a value, or remove this";

/** What is said of a lock that is on. */
function unfulfilled(name: string, { loss, instead }: Missing): string {
  const how = `--acknowledge ${name} (in code acknowledgeUnsupported: ["${name}"])`;
  const orElse = `if something else does it already, start without it: ${how}`;
  return `"${name}" is not implemented, so ${loss}: ${instead}; ${orElse}`;
}

function acknowledge({ name, place }: WrittenLock, reading: Reading): void {
  if (!hasEntries(place.node)) return;
  reading.report("lock-acknowledged", place, `"${name}" is not enforced by this gateway, as acknowledged`);
}

/** What is switched off guards nothing. */
function isSwitchedOff(place: Place): boolean {
  const node = findMember(place, "EnableRateLimiting")?.node;
  return node !== undefined && "text" in node && /^\s*false\s*$/i.test(node.text);
}

/** Only a whole option may be empty: an empty part of one is a lock that fell out of its place. */
function reportEmptyParts({ name, place }: WrittenLock, reading: Reading): void {
  const isRequirement = name === "RouteClaimsRequirement";
  for (const part of partsOf(place)) {
    const { node, parent } = part;
    const isEmptied = "isEmptied" in node;
    const isElement = parent!.node.kind === "array" && isEmptyNode(node);
    const isHollow = isElement || (isRequirement && isEmptyNode(node)) || (blankless.has(name) && isBlank(node));
    if (!isEmptied && !isHollow) continue;
    const found = isEmptied ? "a variable made this empty" : `this is ${describeNode(node)}`;
    const remedy = isEmptied ? fillOrRemove : "fill it, or remove it";
    reading.report("lock-value-empty", part, `${found}, within "${name}", which guards something: ${remedy}`);
  }
}

// What they hold are names and addresses, of which none is blank.
const blankless: ReadonlySet<string> = new Set(["AuthenticationOptions", "SecurityOptions"]);

function isBlank(node: JsonNode): boolean {
  return node.kind === "string" && node.text !== "" && node.text.trim() === "";
}

function* partsOf(place: Place): Generator<Place> {
  const { node } = place;
  const inner =
    node.kind === "array"
      ? node.items.map((item, index) => placeWithin(place, index, item))
      : node.kind === "object"
        ? node.members.map((member) => placeWithin(place, member.name, member.node))
        : [];
  for (const part of inner) {
    yield part;
    yield* partsOf(part);
  }
}

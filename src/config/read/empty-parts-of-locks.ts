import { describeNode, isEmptyNode, type JsonNode } from "../../json/json-node.ts";
import { findMember, placesBelow, type Place } from "../../json/place.ts";
import { emptiedByVariable, reportEmptied } from "./emptied-by-variable.ts";
import type { Reading } from "./reading.ts";

/** Refuses empty parts of a lock that the gateway enforces. */
export function judgeLockParts(name: string, place: Place, reading: Reading): void {
  if ("isEmptied" in place.node) reportEmptied(name, place, reading);
  else if (!isSwitchedOff(place)) reportEmptyParts(name, place, reading);
}

/** What is switched off guards nothing. */
function isSwitchedOff(place: Place): boolean {
  const node = findMember(place, "EnableRateLimiting")?.node;
  return node !== undefined && "text" in node && /^\s*false\s*$/i.test(node.text);
}

/** Only a whole option may be empty: an empty part of one is a lock that fell out of its place. */
export function reportEmptyParts(name: string, place: Place, reading: Reading): void {
  const isRequirement = name === "RouteClaimsRequirement";
  for (const part of placesBelow(place)) {
    const { node, parent } = part;
    const isEmptied = "isEmptied" in node;
    const isElement = parent!.node.kind === "array" && isEmptyNode(node);
    const isHollow = isElement || (isRequirement && isEmptyNode(node)) || (blankless.has(name) && isBlank(node));
    if (!isEmptied && !isHollow) continue;
    const hollow = { found: `this is ${describeNode(node)}`, remedy: "fill it, or remove it" };
    const { found, remedy } = isEmptied ? emptiedByVariable : hollow;
    reading.report("lock-value-empty", part, `${found}, within "${name}", which guards something: ${remedy}`);
  }
}

// What they hold are names and addresses, of which none is blank.
const blankless: ReadonlySet<string> = new Set(["AuthenticationOptions", "SecurityOptions"]);

function isBlank(node: JsonNode): boolean {
  return node.kind === "string" && node.text !== "" && node.text.trim() === "";
}

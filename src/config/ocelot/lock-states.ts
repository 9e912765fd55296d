import { isEmptyNode, type JsonNode } from "../../json/json-node.ts";
import { ocelotSections } from "./ocelot-sections.ts";
import { findMember, type Place } from "../../json/place.ts";

/** Where a lock may stand. */
export type LockLevel = "route" | "global" | "root";

/** Whether a lock is on. */
export type LockState = "off" | "on";

/** Finds the state of a lock from what is written for it and beside it. */
export type StateOfLock = (place: Place, level: LockLevel) => LockState;

/** A lock that is on as soon as anything is written for it. */
export const isOnWithEntries: StateOfLock = ({ node }) => (hasEntries(node) ? "on" : "off");

/** A route's section is on unless it says otherwise; a global one that has no limit holds defaults only. */
export const stateOfRateLimit: StateOfLock = function stateOfRateLimit(place, level) {
  if (place.node.kind !== "object") return isOnWithEntries(place, level);
  const enabled = textAt(place, "EnableRateLimiting");
  if (enabled !== undefined) return enabled === "false" ? "off" : "on";
  const telling = level === "route" ? ocelotSections.RateLimitOptions! : ["Limit", "Period"];
  return telling.some((key) => key !== "RouteKeys" && isSetAt(place, key)) ? "on" : "off";
};

/** Whether anything is written in a value. */
export function hasEntries(node: JsonNode): boolean {
  if (node.kind === "object") return node.members.some((member) => hasEntries(member.node));
  if (node.kind === "array") return node.items.some(hasEntries);
  return !isEmptyNode(node) || "isEmptied" in node;
}

/** Whether a number is not 0, a text is not empty, a switch is not off. */
function isSetAt(place: Place, name: string): boolean {
  const member = findMember(place, name);
  if (member === undefined || !hasEntries(member.node)) return false;
  return !("text" in member.node) || (Number(member.node.text) !== 0 && !/^\s*false\s*$/i.test(member.node.text));
}

function textAt(place: Place, name: string): string | undefined {
  const node = findMember(place, name)?.node;
  if (node === undefined || !hasEntries(node)) return undefined;
  return "text" in node ? node.text.trim().toLowerCase() : "";
}

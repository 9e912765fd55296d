import { isEmptyNode, type JsonNode } from "../../json/json-node.ts";
import { ocelotSections, oldProviderKeys } from "./ocelot-sections.ts";
import { findMember, type Place } from "../read/place.ts";

/** Where a lock may stand. */
export type LockLevel = "route" | "global" | "root";

/** Whether a lock is on; or that a scheme must stand elsewhere for it to mean anything; or why it cannot be meant so. */
export type LockState = "off" | "on" | "needs scheme" | Readonly<{ contradiction: string }>;

/** Finds the state of a lock from what is written for it and beside it. */
export type StateOfLock = (place: Place, level: LockLevel) => LockState;

const providerKeys = ["AuthenticationProviderKey", "AuthenticationProviderKeys", ...oldProviderKeys];
const demandsOnIdentity = [
  ...["RouteClaimsRequirement", "AddHeadersToRequest", "AddClaimsToRequest", "AddQueriesToRequest"],
  "ChangeDownstreamPathTemplate",
];
// What reads like a claim, also where its letters are not quite those that Ocelot wants.
const claimExpression = /claims?\s*[[({]|>\s*value/i;

/** A lock that is on as soon as anything is written for it. */
export const isOnWithEntries: StateOfLock = ({ node }) => (hasEntries(node) ? "on" : "off");

/** What is written as something else than Ocelot's object is taken as a lock: better refused than open. */
export const stateOfAuthentication: StateOfLock = function stateOfAuthentication(place, level) {
  const { node } = place;
  if (node.kind !== "object") return isOnWithEntries(place, level);
  const anonymous = textAt(place, "AllowAnonymous");
  const own = ["AllowedScopes", ...providerKeys].find((key) => hasEntriesAt(place, key));
  if (anonymous === "true" && level === "route") {
    const demand = own ?? demandsOnIdentity.find((key) => hasEntriesAt(place.parent!, key));
    return demand === undefined ? "off" : { contradiction: `"AllowAnonymous": true stands beside "${demand}"` };
  }
  if (anonymous === "true") return "off";
  if (namesScheme(place)) return "on";
  return own !== undefined || anonymous !== undefined ? "needs scheme" : "off";
};

/** Whether a section says how clients are recognised. */
export function namesScheme(place: Place): boolean {
  return providerKeys.some((key) => hasEntriesAt(place, key));
}

/** A route's section is on unless it says otherwise; a global one that has no limit holds defaults only. */
export const stateOfRateLimit: StateOfLock = function stateOfRateLimit(place, level) {
  if (place.node.kind !== "object") return isOnWithEntries(place, level);
  const enabled = textAt(place, "EnableRateLimiting");
  if (enabled !== undefined) return enabled === "false" ? "off" : "on";
  const telling = level === "route" ? ocelotSections.RateLimitOptions! : ["Limit", "Period"];
  return telling.some((key) => key !== "RouteKeys" && isSetAt(place, key)) ? "on" : "off";
};

/** Lists of addresses that have entries. */
export const stateOfAddressLists: StateOfLock = function stateOfAddressLists(place, level) {
  if (place.node.kind !== "object") return isOnWithEntries(place, level);
  return hasEntriesAt(place, "IPAllowedList") || hasEntriesAt(place, "IPBlockedList") ? "on" : "off";
};

/** Claims that travel to the downstream; a text that reads no claim does nothing in Ocelot either. */
export const stateOfClaims: StateOfLock = function stateOfClaims(place, level) {
  if (place.node.kind !== "object") return isOnWithEntries(place, level);
  return literalClaims(place).length === place.node.members.length ? "off" : "on";
};

/** The members of a table of claims that read none. */
export function literalClaims({ node }: Place): readonly { name: string; node: JsonNode }[] {
  if (node.kind !== "object") return [];
  return node.members.filter((member) => "text" in member.node && !claimExpression.test(member.node.text));
}

/** Whether anything is written in a value. */
export function hasEntries(node: JsonNode): boolean {
  if (node.kind === "object") return node.members.some((member) => hasEntries(member.node));
  if (node.kind === "array") return node.items.some(hasEntries);
  return !isEmptyNode(node) || "isEmptied" in node;
}

function hasEntriesAt(place: Place, name: string): boolean {
  const member = findMember(place, name);
  return member !== undefined && hasEntries(member.node);
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

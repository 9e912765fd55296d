import { describeNode, type JsonObject } from "../../json/json-node.ts";
import { type Place, placeWithin } from "../../json/place.ts";
import type { Report } from "../problems/problem-list.ts";
import { findMemberNode } from "./find-member-node.ts";
import type { JoinedRoot } from "./join-parts.ts";
import { type JoinedList, joinedLists } from "./joined-lists.ts";

/**
 * Whether entries can be about nothing, and so are new without saying it: there is no route of whatever kind beneath, or
 * none of the documents, which take no requests.
 */
export function isNothingBeneath(list: JoinedList, { lists }: JoinedRoot): boolean {
  const takeRequests = joinedLists.filter(({ isOfRequests }) => isOfRequests);
  const counting = list.isOfRequests ? takeRequests : [list];
  return counting.every((one) => (lists.get(one)?.items ?? []).length === 0);
}

/** Whether an entry says that it is new. */
export function readNew(at: Place, report: Report): boolean {
  const node = findMemberNode(at.node, "New");
  if (node === undefined) return false;
  if ("text" in node && /^(true|false)$/i.test(node.text)) return /^true$/i.test(node.text);
  report("wrong-type", placeWithin(at, "New", node), `expected true or false, found ${describeNode(node)}`);
  return true;
}

/** The word is meant for the overlay, and is no key of what it describes. */
export function withoutNew(entry: JsonObject): JsonObject {
  return { ...entry, members: entry.members.filter(({ name }) => name.toLowerCase() !== "new") };
}

import { isEmptyNode, type JsonMember, type JsonNode, type JsonObject } from "../../json/json-node.ts";
import type { Shape } from "./object-shape.ts";

/** One value laid over another: objects key by key, all else whole. */
export function layOver(before: JsonNode, after: JsonNode, shape: Shape): JsonNode {
  if (before.kind !== "object" || after.kind !== "object" || shape.isReplaced(before, after)) return after;
  return layObjectOver(before, after, shape);
}

/** One object laid over another, whose absent values change nothing; values keep the places at which they are written. */
export function layObjectOver(before: JsonObject, after: JsonObject, shape: Shape): JsonObject {
  const members: (JsonMember | undefined)[] = [...before.members];
  const beneath = Map.groupBy(members.keys(), (index) => shape.slotOf(members[index]!.name));
  const met = new Set<string>();
  for (const member of after.members) {
    if (isAbsent(member.node, shape.hasEmptyTexts)) continue;
    const slot = shape.slotOf(member.name);
    if (!met.has(slot)) beneath.set(slot, withoutOtherSpellings(members, beneath.get(slot) ?? []));
    met.add(slot);
    const last = beneath.get(slot)!.pop();
    if (last === undefined) members.push(member);
    else members[last] = { ...member, node: layOver(members[last]!.node, member.node, shape.within(slot)) };
  }
  return { kind: "object", members: members.filter((member) => member !== undefined), span: before.span };
}

/** The same key in another spelling goes; a name that stands twice stays so, and is told as such. */
function withoutOtherSpellings(members: (JsonMember | undefined)[], indexes: readonly number[]): number[] {
  const spellingOf = (index: number): string => members[index]!.name.toLowerCase();
  const last = indexes.length === 0 ? "" : spellingOf(indexes.at(-1)!);
  const { kept = [], gone = [] } = Object.groupBy(indexes, (index) => (spellingOf(index) === last ? "kept" : "gone"));
  for (const index of gone) members[index] = undefined;
  return kept;
}

/** Whether a value counts as absent; what a variable made empty does not, as it may have been meant to guard something. */
export function isAbsent(node: JsonNode, hasEmptyTexts = false): boolean {
  if (!isEmptyNode(node)) return false;
  return node.kind !== "string" || !(hasEmptyTexts || node.isEmptied === true);
}

import type { JsonMember, JsonNode, JsonObject } from "../../json/json-node.ts";
import type { Shape } from "./object-shape.ts";

/** One value laid over another: objects key by key, all else whole; `null`, `{}` and `[]` change nothing. */
export function layOver(before: JsonNode, after: JsonNode, shape: Shape): JsonNode {
  if (changesNothing(after)) return before;
  if (before.kind !== "object" || after.kind !== "object" || shape.isReplaced(before, after)) return after;
  return layObjectOver(before, after, shape);
}

/** One object laid over another; values keep the places at which they are written. */
export function layObjectOver(before: JsonObject, after: JsonObject, shape: Shape): JsonObject {
  let members: readonly JsonMember[] = before.members;
  const laid = new Set<JsonMember>();
  for (const member of after.members) {
    if (changesNothing(member.node)) continue;
    const slot = shape.slotOf(member.name);
    const older = members.filter((one) => shape.slotOf(one.name) === slot && !laid.has(one));
    const last = older.at(-1);
    const node = last === undefined ? member.node : layOver(last.node, member.node, shape.within(slot));
    const next = { ...member, node };
    laid.add(next);
    if (last === undefined) members = [...members, next];
    else members = members.flatMap((one) => replacing(one, { last, next, isOlder: older.includes(one) }));
  }
  return { kind: "object", members, span: before.span };
}

type Replacing = Readonly<{ last: JsonMember; next: JsonMember; isOlder: boolean }>;

/** The same key in another spelling goes; a name that stands twice stays so, and is told as such. */
function replacing(one: JsonMember, { last, next, isOlder }: Replacing): readonly JsonMember[] {
  if (one === last) return [next];
  return isOlder && one.name.toLowerCase() !== last.name.toLowerCase() ? [] : [one];
}

function changesNothing(node: JsonNode): boolean {
  if (node.kind === "object") return node.members.length === 0;
  if (node.kind === "array") return node.items.length === 0;
  return node.kind === "null";
}

import { isEmptyNode, type JsonNode } from "../../json/json-node.ts";

/** Whether anything is written in a value: a lock is on as soon as there is. */
export function hasEntries(node: JsonNode): boolean {
  if (node.kind === "object") return node.members.some((member) => hasEntries(member.node));
  if (node.kind === "array") return node.items.some(hasEntries);
  return !isEmptyNode(node) || "isEmptied" in node;
}

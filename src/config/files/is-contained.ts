import { isEmptyNode, type JsonNode } from "../../json/json-node.ts";

/** Whether a value says nothing that another does not say as well; names compare as .NET compares them. */
export function isContained(node: JsonNode, whole: JsonNode | undefined): boolean {
  if (isEmptyNode(node)) return true;
  if (node.kind === "array") {
    if (whole?.kind !== "array" || whole.items.length !== node.items.length) return false;
    return node.items.every((item, index) => isContained(item, whole.items[index]));
  }
  if (node.kind === "object") {
    if (whole?.kind !== "object") return false;
    const others = new Map(whole.members.map((member) => [member.name.toLowerCase(), member.node]));
    return node.members.every((member) => isContained(member.node, others.get(member.name.toLowerCase())));
  }
  return whole?.kind === node.kind && "text" in whole && whole.text === node.text;
}

import { isEmptyNode, type JsonNode } from "../../json/json-node.ts";
import { findMember, rootPlace } from "../../json/place.ts";

/** The value of a member by its canonical name; undefined where it is absent or empty. */
export function findMemberNode(node: JsonNode, name: string): JsonNode | undefined {
  const found = findMember(rootPlace(node), name)?.node;
  return found === undefined || isEmptyNode(found) ? undefined : found;
}

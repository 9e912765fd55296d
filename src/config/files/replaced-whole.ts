import type { JsonObject } from "../../json/json-node.ts";
import { findMemberNode } from "./find-member-node.ts";

/** Whether an object takes the place of another one whole, not key by key. */
export type IsReplaced = (before: JsonObject, after: JsonObject) => boolean;

/** What is laid over key by key. */
export const never: IsReplaced = () => false;
/** What is one instruction. */
export const always: IsReplaced = () => true;

/** An object with another `Type` is another one. */
export const whereTypesDiffer: IsReplaced = (before, after) => {
  const [earlier, later] = [typeOf(before), typeOf(after)];
  return earlier !== undefined && later !== undefined && earlier !== later;
};

function typeOf(node: JsonObject): string | undefined {
  const type = findMemberNode(node, "Type");
  return type !== undefined && "text" in type ? type.text.trim().toLowerCase() : undefined;
}

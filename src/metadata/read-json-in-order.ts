import { parseTree, type Node, type ParseError } from "jsonc-parser";
import { deepestJson, type JsonReading } from "./json-options.ts";
import { Misfit } from "./misfit.ts";

/**
 * Parses JSON, with comments and trailing commas where allowed, into objects whose members stand in the order of the text:
 * a repeated member stands where it was written last, which `JSON.parse` does not say.
 */
export function readJsonInOrder(text: string, reading: JsonReading): unknown {
  const errors: ParseError[] = [];
  const root = parseOrRefuse(text, errors, reading);
  const [error] = errors;
  if (error !== undefined) throw new Misfit("format", `no JSON at offset ${error.offset}`);
  return valueOf(root, 0);
}

function parseOrRefuse(text: string, errors: ParseError[], reading: JsonReading): Node {
  const options = { allowTrailingComma: reading.allowTrailingCommas, disallowComments: !reading.comments };
  try {
    const root = parseTree(text, errors, options);
    if (root !== undefined) return root;
  } catch (cause) {
    throw new Misfit("format", "nested too deeply", cause);
  }
  throw new Misfit("format");
}

function valueOf(node: Node, depth: number): unknown {
  if (depth > deepestJson) throw new Misfit("format", `nested more than ${deepestJson} levels deep`);
  if (node.type === "array") return (node.children ?? []).map((child) => valueOf(child, depth + 1));
  if (node.type === "object") return objectOf(node.children ?? [], depth + 1);
  return node.value as unknown;
}

function objectOf(properties: readonly Node[], depth: number): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const { children: [name, value] = [] } of properties) {
    if (name === undefined || value === undefined) continue;
    const key = String(name.value);
    members.delete(key);
    members.set(key, valueOf(value, depth));
  }
  return Object.fromEntries(members);
}

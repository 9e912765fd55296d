import { parseTree, type Node, type ParseError } from "jsonc-parser";
import type { JsonReading } from "./json-options.ts";
import { Misfit } from "./misfit.ts";

/**
 * Parses JSON, with comments and trailing commas where allowed, into objects whose members stand in the order of the text:
 * a repeated member stands where it was written last, which `JSON.parse` does not say.
 */
export function readJsonInOrder(text: string, reading: JsonReading): unknown {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: reading.allowTrailingCommas, disallowComments: !reading.comments };
  let tree: unknown;
  try {
    const root = parseTree(text, errors, options);
    tree = root && valueOf(root);
  } catch (cause) {
    throw new Misfit("format", "nested too deeply", cause); // both walks are recursive, and nothing else in them throws
  }
  const [error] = errors;
  if (error !== undefined) throw new Misfit("format", `no JSON at offset ${error.offset}`);
  return tree;
}

function valueOf({ type, children = [], value }: Node): unknown {
  if (type === "array") return children.map(valueOf);
  return type === "object" ? objectOf(children) : (value as unknown);
}

function objectOf(properties: readonly Node[]): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const { children: [name, value] = [] } of properties) {
    if (name === undefined || value === undefined) continue;
    const key = String(name.value);
    members.delete(key);
    members.set(key, valueOf(value));
  }
  return Object.fromEntries(members);
}

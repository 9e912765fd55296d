import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { branchesOf, freezeTree } from "./share-value.ts";
import { type JsonReading, deepestJson } from "./json-options.ts";
import { Misfit } from "../metadata-error.ts";

/** `json`: the parsed tree, frozen all through. */
export function parseJson(text: string, reading: JsonReading): unknown {
  return freezeTree(readJson(text, reading));
}

/** Parses strict JSON, or JSON with the comments and trailing commas that the options allow. */
export function readJson(text: string, reading: JsonReading): unknown {
  const isRelaxed = reading.comments || reading.allowTrailingCommas;
  const tree = isRelaxed ? readJsonInOrder(text, reading) : parseStrictly(text);
  requireShallow(tree);
  return tree;
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Misfit("format", "", cause);
  }
}

/** What walks the tree afterwards is recursive, and .NET reads no deeper. */
function requireShallow(tree: unknown, depth = 1): void {
  if (typeof tree !== "object" || tree === null) return;
  if (depth > deepestJson) throw new Misfit("format", `nested more than ${deepestJson} levels deep`);
  for (const branch of branchesOf(tree)) if (typeof branch === "object") requireShallow(branch, depth + 1);
}

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

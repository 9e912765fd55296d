import { branchesOf, freezeTree } from "./freeze-tree.ts";
import { deepestJson, type JsonReading } from "./json-options.ts";
import { Misfit } from "./misfit.ts";
import { readJsonInOrder } from "./read-json-in-order.ts";

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

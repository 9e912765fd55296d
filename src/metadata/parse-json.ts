import { deepestJson, type JsonReading } from "./json-options.ts";
import { Misfit } from "./misfit.ts";
import { readJsonInOrder } from "./read-json-in-order.ts";

/** `json`: the parsed tree, frozen all through. */
export function parseJson(text: string, reading: JsonReading): unknown {
  return freezeTree(readJson(text, reading));
}

/** Parses strict JSON, or JSON with the comments and trailing commas that the options allow. */
export function readJson(text: string, reading: JsonReading): unknown {
  if (reading.comments || reading.allowTrailingCommas) return readJsonInOrder(text, reading);
  requireShallow(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Misfit("format", "", cause);
  }
}

/** Bounds the depth before anything recursive sees the text. */
function requireShallow(text: string): void {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) isInString = !isInString;
    else if (isInString) index += code === 0x5c ? 1 : 0;
    else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    if (depth > deepestJson) throw new Misfit("format", `nested more than ${deepestJson} levels deep`);
  }
}

function freezeTree(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) if (typeof member === "object") freezeTree(member);
  return Object.freeze(value);
}

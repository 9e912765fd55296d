import { isObject, type JsonObject } from "../../json/json-object.ts";
import { decodeOrKeep } from "../../urls/decode-or-keep.ts";

// Very many may be the same long one, or lead to it.
const knownOfDocument = new WeakMap<JsonObject, Map<string, unknown>>();

/** What a reference within a document leads to; undefined for nothing, and for all that is outside of it. */
export function resolvePointer(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  const known = knownOfDocument.get(document) ?? new Map<string, unknown>();
  knownOfDocument.set(document, known);
  if (!known.has(reference)) known.set(reference, findPlace(document, reference));
  return known.get(reference);
}

function findPlace(document: JsonObject, reference: string): unknown {
  let found: unknown = document;
  for (const written of reference.slice(2).split("/")) {
    const name = decodeOrKeep(written).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

const longestChain = 16;

/** Follows references to the object that they lead to in the end; undefined where there is none. */
export function followReferences(document: JsonObject, written: unknown): JsonObject | undefined {
  let found = written;
  for (let left = longestChain; left > 0 && isObject(found); left -= 1) {
    if (typeof found.$ref !== "string") return found;
    found = resolvePointer(document, found.$ref);
  }
  return undefined;
}

import { isObject, type JsonObject } from "../../json/json-object.ts";
import { decodeOrKeep } from "../../urls/decode-or-keep.ts";

// No document that is read is nested as deeply, and a reference may be as long as a document.
const mostNames = 1_000;

/** What a reference within a document leads to; undefined for nothing, and for all that is outside of it. */
export function resolvePointer(document: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  let found = document;
  for (const written of reference.slice(2).split("/", mostNames)) {
    const name = decodeOrKeep(written).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

const longestChain = 16;
// Very many short references may lead to the same very long one.
const endsOfDocument = new WeakMap<JsonObject, WeakMap<JsonObject, JsonObject | undefined>>();

/** Follows references to the object that they lead to in the end; undefined where there is none. */
export function followReferences(document: JsonObject, written: unknown): JsonObject | undefined {
  if (!isObject(written) || typeof written.$ref !== "string") return isObject(written) ? written : undefined;
  const ends = endsOfDocument.get(document) ?? new WeakMap<JsonObject, JsonObject | undefined>();
  endsOfDocument.set(document, ends);
  if (!ends.has(written)) ends.set(written, findEnd(document, written));
  return ends.get(written);
}

function findEnd(document: JsonObject, written: unknown): JsonObject | undefined {
  let found = written;
  for (let left = longestChain; left > 0 && isObject(found); left -= 1) {
    if (typeof found.$ref !== "string") return found;
    found = resolvePointer(document, found.$ref);
  }
  return undefined;
}

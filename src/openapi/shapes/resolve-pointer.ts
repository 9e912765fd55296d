import { decodeOrKeep } from "../../urls/decode-or-keep.ts";

/** What a reference within a document leads to; undefined for nothing, and for all that is outside of it. */
export function resolvePointer(document: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  let found = document;
  for (const written of reference.slice(2).split("/")) {
    const name = decodeOrKeep(written).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

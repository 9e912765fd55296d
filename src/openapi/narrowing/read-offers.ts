import { isObject, type JsonObject, listOf } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import { isExtension } from "../shapes/shape.ts";
import { followReferences, resolvePointer } from "../shapes/resolve-pointer.ts";
import { longestPath } from "./base-paths.ts";

/** The values that a document offers for a parameter, as texts; undefined where they cannot all be told. */
export type ReadOffers = (parameter: JsonObject) => Steps<ReadonlySet<string> | undefined>;

const mostParts = 200;
const mostValues = 1_000;
const usualStyles: readonly unknown[] = [undefined, "simple", "form"];

/** Prepares to read what a document offers; each parameter is read once, however many operations have it. */
export function createReadOffers(root: JsonObject): ReadOffers {
  const known = new Map<JsonObject, ReadonlySet<string> | undefined>();
  return function* readOffers(parameter) {
    if (!known.has(parameter)) known.set(parameter, yield* readAll(root, parameter));
    return known.get(parameter);
  };
}

/** Whatever a parameter consists of may offer values: tools fill in those of its schema as well as its own. */
function* readAll(root: JsonObject, parameter: JsonObject): Steps<ReadonlySet<string> | undefined> {
  const texts = new Set<string>();
  const parts = new Set<object>([parameter]);
  // What is added while it is looked through is looked through as well.
  for (const part of parts) {
    yield;
    if (parts.size > mostParts) return undefined;
    for (const value of isObject(part) ? valuesOf(root, part) : []) {
      const text = textOf(value);
      if (text === undefined || texts.size === mostValues) return undefined;
      texts.add(text);
    }
    if (!addParts(root, part, parts)) return undefined;
  }
  return texts.size === 0 || usualStyles.includes(parameter.style) ? texts : undefined;
}

const wordsOfValues: ReadonlySet<string> = new Set(["enum", "const", "default", "example", "examples"]);

/** Adds what a part holds, and what it refers to; false where that is too much to look at. */
function addParts(root: JsonObject, part: object, parts: Set<object>): boolean {
  for (const [name, inner] of Object.entries(part)) {
    if (isObject(part) && (wordsOfValues.has(name) || isExtension(name))) continue;
    if (name === "$ref" && typeof inner === "string" && inner.length > longestPath) return false;
    const found = name === "$ref" && typeof inner === "string" ? resolvePointer(root, inner) : (inner as unknown);
    if (typeof found === "object" && found !== null) parts.add(found);
    if (parts.size > mostParts) return false;
  }
  return true;
}

function valuesOf(root: JsonObject, part: JsonObject): readonly unknown[] {
  const { examples } = part;
  const single = ["const", "default", "example"].filter((word) => Object.hasOwn(part, word)).map((word) => part[word]);
  const shown = isObject(examples) ? Object.values(examples).map((one) => valueOfExample(root, one)) : listOf(examples);
  return [...single, ...[part.enum ?? []].flat(), ...shown.filter((value) => value !== undefined)];
}

function valueOfExample(root: JsonObject, written: unknown): unknown {
  return followReferences(root, written)?.value;
}

/** How a value is written in a URL: in one way only, unless it is a list or an object. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "object" && value !== null) return undefined;
  const text = String(value);
  return text.length > longestPath ? undefined : text;
}

import type { JsonObject } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";

// An empty object is two signs of text, and many times that in memory.
const leastSize = 16;
const valuesOfStep = 64;

/** How many bytes a value has as JSON, small ones counted as what they cost in memory; no further than beyond `most`. */
export function* sizeOf(root: unknown, most: number): Steps<number> {
  let [size, values] = [0, 0];
  yield* add(root);
  return size;

  function* add(value: unknown): Steps<void> {
    values += 1;
    if (values % valuesOfStep === 0) yield;
    if (typeof value !== "object" || value === null) {
      size += sizeOfScalar(value);
      return;
    }
    size += leastSize;
    if (Array.isArray(value)) yield* addItems(value);
    else yield* addMembers(value as JsonObject);
  }

  function* addItems(list: readonly unknown[]): Steps<void> {
    for (const item of list) {
      if (size > most) return;
      yield* add(item);
    }
  }

  function* addMembers(object: JsonObject): Steps<void> {
    for (const name of Object.keys(object)) {
      if (size > most) return;
      const value = object[name];
      if (value === undefined) continue;
      size += sizeOfText(name);
      yield* add(value);
    }
  }
}

function sizeOfScalar(value: unknown): number {
  if (typeof value === "string") return sizeOfText(value);
  return typeof value === "bigint" ? String(value).length : leastSize;
}

function sizeOfText(text: string): number {
  return Math.max(leastSize, Buffer.byteLength(JSON.stringify(text)));
}

import { describeNode, type JsonObject } from "../../json/json-node.ts";
import type { Place } from "../../json/place.ts";
import type { Reading } from "./reading.ts";

/** The object at a place; anything else is reported. */
export function expectObject(place: Place, expected: string, reading: Reading): JsonObject | undefined {
  if (place.node.kind === "object") return place.node;
  reading.report("wrong-type", place, `expected ${expected}, found ${describeNode(place.node)}`);
  return undefined;
}

/** A record in which no name is special. */
export function emptyRecord<Value>(): Record<string, Value> {
  // Made so it takes a fifth of the memory of `Object.create(null)`, which makes a table for many names.
  return Object.setPrototypeOf({}, null) as Record<string, Value>;
}

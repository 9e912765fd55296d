import { mayRepeat } from "../../json/may-repeat.ts";
import { describeNode, isEmptyNode, nodeToJson, type JsonNode, type JsonObject } from "../../json/json-node.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import type { Reading } from "./reading.ts";

// Ocelot writes header placeholders as {header:name}.
const headerPrefix = /\{header:(?=\w+\})/gi;

/** Reads metadata: free keys to texts; anything that is no text becomes one as in .NET, null stays null. */
export function readMetadata(place: Place, reading: Reading): Readonly<Record<string, string | null>> | undefined {
  const object = expectObject(place, "an object of texts", reading);
  if (object === undefined) return undefined;
  reportRepeats(place, reading, (name) => name);
  const metadata = emptyRecord<string | null>();
  for (const { name, node } of object.members) metadata[name] = metadataText(node);
  return Object.freeze(metadata);
}

/** Reads header templates: names to texts; what is empty is absent. */
export function readHeaderTemplates(place: Place, reading: Reading): Readonly<Record<string, string>> | undefined {
  const object = expectObject(place, "an object of header names and templates", reading);
  if (object === undefined) return undefined;
  reportRepeats(place, reading, (name) => name.toLowerCase());
  const templates = emptyRecord<string>();
  for (const { name, node } of object.members) {
    if (isEmptyNode(node)) continue;
    if ("text" in node) templates[name] = node.text.replace(headerPrefix, "{");
    else reading.report("wrong-type", placeWithin(place, name, node), `expected text, found ${describeNode(node)}`);
  }
  return Object.freeze(templates);
}

/** Reports members that an object repeats, at any depth; `identify` says when two names are the same, at most up to case. */
export function reportRepeats(place: Place, reading: Reading, identify: (name: string) => string): void {
  const { node } = place;
  if (node.kind === "array") {
    node.items.forEach((item, index) => reportRepeats(placeWithin(place, index, item), reading, identify));
  }
  if (node.kind !== "object") return;
  const seen = mayRepeat(node.members) ? new Map<string, string>() : undefined;
  for (const { name, nameSpan, node: inner } of node.members) {
    const first = seen?.get(identify(name));
    if (first === undefined) seen?.set(identify(name), name);
    else reportRepeat({ ...placeWithin(place, name, inner), span: nameSpan }, first, reading);
    if (!("text" in inner)) reportRepeats(placeWithin(place, name, inner), reading, identify);
  }
}

/** Reports one member that stands twice in its object. */
export function reportRepeat(place: Place, first: string, reading: Pick<Reading, "report">): void {
  const found = String(place.key);
  const spelling = found === first ? "" : `, first as ${JSON.stringify(first)}; names match without case`;
  reading.report("key-repeated", place, `${JSON.stringify(found)} stands twice in this object${spelling}: remove one`);
}

function metadataText(node: JsonNode): string | null {
  if (node.kind === "object" || node.kind === "array") return nodeToJson(node);
  return node.kind === "null" ? null : node.text;
}

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

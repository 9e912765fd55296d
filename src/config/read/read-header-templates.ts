import { describeNode, isEmptyNode } from "../../json/json-node.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import { emptyRecord, expectObject } from "./object-of-free-names.ts";
import type { Reading } from "./reading.ts";
import { reportRepeats } from "./report-repeats.ts";

/** Reads header templates: names to texts; what is empty is absent. */
export function readHeaderTemplates(place: Place, reading: Reading): Readonly<Record<string, string>> | undefined {
  const object = expectObject(place, "an object of header names and templates", reading);
  if (object === undefined) return undefined;
  reportRepeats(place, reading, (name) => name.toLowerCase());
  const templates = emptyRecord<string>();
  for (const { name, node } of object.members) {
    if (isEmptyNode(node)) continue;
    if ("text" in node) templates[name] = withoutHeaderPrefix(node.text);
    else reading.report("wrong-type", placeWithin(place, name, node), `expected text, found ${describeNode(node)}`);
  }
  return Object.freeze(templates);
}

const headerPrefix = /\{header:(?=\w+\})/gi;

/** A header template whose placeholders are written as everywhere: Ocelot writes those of headers as `{header:name}`. */
export function withoutHeaderPrefix(template: string): string {
  return template.replace(headerPrefix, "{");
}

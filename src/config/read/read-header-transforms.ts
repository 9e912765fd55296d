import { describeNode, isEmptyNode, type JsonNode } from "../../json/json-node.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import type { HeaderTransform } from "../../schema/key.ts";
import { expectObject } from "./object-of-free-names.ts";
import type { Reading } from "./reading.ts";
import { reportRepeats } from "./report-repeats.ts";

/** Reads what is to be done with headers, by their names; an empty text is something to do, too. */
export function readHeaderTransforms(
  place: Place,
  reading: Reading,
): Readonly<Record<string, HeaderTransform>> | undefined {
  const object = expectObject(place, "an object of header names and texts", reading);
  if (object === undefined) return undefined;
  reportRepeats(place, reading, (name) => name.toLowerCase());
  const transforms = Object.create(null) as Record<string, HeaderTransform>;
  for (const { name, node } of object.members) {
    const transform = readTransform(node);
    if (transform !== undefined) transforms[name] = transform;
    else reading.report("transform-invalid", placeWithin(place, name, node), describeFault(node));
  }
  return Object.freeze(transforms);
}

const shapes = '{ "Set": … }, { "Append": … }, { "Remove": true } or { "Find": …, "Replace": … }';

function describeFault(node: JsonNode): string {
  const found = node.kind === "object" ? "another object" : describeNode(node);
  return `expected a text or one of ${shapes}, found ${found}`;
}

function readTransform(node: JsonNode): HeaderTransform | undefined {
  if (node.kind !== "object") return textOf(node);
  const given = node.members.map((member) => [member.name.toLowerCase(), textOf(member.node)] as const);
  const texts = new Map(given.filter(([, text]) => text !== undefined));
  if (texts.size !== node.members.length || isEmptyNode(node)) return undefined;
  return readShape(texts as ReadonlyMap<string, string>);
}

function readShape(texts: ReadonlyMap<string, string>): HeaderTransform | undefined {
  const names = [...texts.keys()].sort().join(" ");
  return Object.hasOwn(readers, names) ? readers[names]!((name) => texts.get(name)!) : undefined;
}

/** The objects that there are, by the names of their members. */
const readers: Readonly<Record<string, (textOf: (name: string) => string) => HeaderTransform | undefined>> = {
  set: (text) => ({ Set: text("set") }),
  append: (text) => ({ Append: text("append") }),
  remove: (text) => (/^true$/i.test(text("remove")) ? { Remove: true } : undefined),
  "find replace": (text) => ({ Find: text("find"), Replace: text("replace") }),
};

function textOf(node: JsonNode): string | undefined {
  return "text" in node && node.kind !== "null" ? node.text : undefined;
}

import type { Key, Section } from "../../schema/key.ts";
import { oldKeys } from "../../schema/old-keys.ts";
import { always, type IsReplaced, never, whereTypesDiffer } from "./replaced-whole.ts";

/** How the names of an object's members compare, and what is known of their values. */
export type Shape = Readonly<{
  /** What a name stands for: members of one object that stand for the same are one key in two spellings. */
  slotOf: (name: string) => string;
  within: (slot: string) => Shape;
  isReplaced: IsReplaced;
}>;

/** Any JSON: names compare exactly. */
const free: Shape = { slotOf: (name) => name, within: () => free, isReplaced: never };

/** What nobody reads here: names compare as .NET compares them. */
const unknown: Shape = { slotOf: (name) => name.toLowerCase(), within: () => unknown, isReplaced: never };

/** One instruction, whose keys exclude each other. */
const instruction: Shape = { ...free, isReplaced: always };

const byHeader: Shape = { ...unknown, within: () => instruction };

/** Two keys of today that say the same. */
const sameKeys: Readonly<Record<string, string>> = { AuthenticationProviderKeys: "AuthenticationProviderKey" };

/** The shape of an object of a kind that is known, else of one that is not. */
export function shapeOf(section: Section | undefined): Shape {
  if (section === undefined) return unknown;
  const canonical = new Map(Object.keys(section.keys).map((name) => [name.toLowerCase(), name]));
  for (const { name, today } of oldKeys[section.name] ?? []) canonical.set(name.toLowerCase(), today ?? name);
  return {
    slotOf(name) {
      const known = canonical.get(name.toLowerCase()) ?? name.toLowerCase();
      return sameKeys[known] ?? known;
    },
    within: (slot) => shapeOfKey(Object.hasOwn(section.keys, slot) ? section.keys[slot] : undefined),
    isReplaced: never,
  };
}

function shapeOfKey(key: Key | undefined): Shape {
  if (key === undefined) return unknown;
  if (key.kind === "section") return shapeOf(key.section);
  if (key.kind === "record") return { ...free, within: () => shapeOfNamed(key.section) };
  return key.kind === "headerTransforms" || key.kind === "headerTemplates" ? byHeader : free;
}

/** An object of the user's own naming, such as a scheme or a provider. */
function shapeOfNamed(section: Section): Shape {
  return { ...shapeOf(section), isReplaced: whereTypesDiffer };
}

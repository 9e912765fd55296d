import type { Key, Section } from "../../schema/key.ts";
import { oldKeys } from "../../schema/old-keys.ts";
import { always, type IsReplaced, never, whereTypesDiffer } from "./replaced-whole.ts";

/** How the names of an object's members compare, and what is known of their values. */
export type Shape = Readonly<{
  /** What a name stands for: members of one object that stand for the same are one key in two spellings. */
  slotOf: (name: string) => string;
  within: (slot: string) => Shape;
  /** Whether `""` is a value here, and not what tools write for a key that is not set. */
  hasEmptyTexts: boolean;
  isReplaced: IsReplaced;
}>;

/** Any JSON: names compare exactly. */
const free: Shape = { slotOf: (name) => name, within: () => free, hasEmptyTexts: true, isReplaced: never };

/** What nobody reads here: names compare as .NET compares them. */
const unknown: Shape = {
  slotOf: (name) => name.toLowerCase(),
  within: () => unknown,
  hasEmptyTexts: false,
  isReplaced: never,
};

/** One instruction, whose keys exclude each other. */
const instruction: Shape = { ...free, isReplaced: always };

const headerTemplates: Shape = { ...unknown, within: () => instruction };

/** A header whose text is empty is removed. */
const headerTransforms: Shape = { ...headerTemplates, hasEmptyTexts: true };

/** Expressions by names that compare exactly; an empty one reads no claim. */
const claimExpressions: Shape = { ...free, hasEmptyTexts: false };

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
    hasEmptyTexts: section.keepsEmpty === true,
    isReplaced: never,
  };
}

function shapeOfKey(key: Key | undefined): Shape {
  if (key === undefined) return unknown;
  if (key.kind === "section") return shapeOf(key.section);
  if (key.kind === "record") return { ...free, within: () => shapeOfNamed(key.section), hasEmptyTexts: false };
  return Object.hasOwn(shapes, key.kind) ? shapes[key.kind as keyof typeof shapes] : free;
}

const shapes = { headerTransforms, headerTemplates, claimExpressions } as const;

/** An object of the user's own naming, such as a scheme or a provider. */
function shapeOfNamed(section: Section): Shape {
  return { ...shapeOf(section), isReplaced: whereTypesDiffer };
}

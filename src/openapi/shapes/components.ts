import { isObject, type JsonObject, setMember } from "../../json/json-object.ts";
import { getOrAdd } from "../../routing/index/get-or-add.ts";
import type { Steps } from "../../time-slices.ts";
import { decodeOrKeep } from "../../urls/decode-or-keep.ts";
import { type Budgets, mostMembers } from "./document-budgets.ts";
import { type CopyShape, createCopyShape } from "./copy-shape.ts";
import { toName } from "./component-name.ts";
import { createNameOnce } from "./name-once.ts";
import { followReferences, resolvePointer } from "./resolve-pointer.ts";
import type { ShapeName, Shapes } from "./shape.ts";

/** What references of a new document lead to: copied when something needs it, each once. */
type Components = Readonly<{
  copy: CopyShape;
  /** Copies all that was referred to, and what that refers to, by section and name; undefined where that is too much. */
  collect: (budgets: Budgets) => Steps<CollectedComponents | undefined>;
  /** As if something referred to all that the document has. */
  needAll: () => Steps<void>;
}>;

/** Components by section and name. */
export type CollectedComponents = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What of a version says where its components stand. */
export type ComponentPlaces = Readonly<{
  shapes: Shapes;
  /** What a reference to a section begins with: `#/components/` where sections stand together. */
  prefix: "#/" | "#/components/";
  /** What the names of components begin with in the copy: nothing, where the copy is made of one document. */
  nameStart?: string;
}>;

type Needed = Readonly<{ shape: ShapeName; section: string; name: string; node: unknown }>;

/** Prepares the components of a document that is made of parts of another one. */
export function createComponents(document: JsonObject, places: ComponentPlaces): Components {
  const { shapes, prefix, nameStart } = places;
  const known = new Map<string, Map<unknown, string>>();
  const nameOnce = createNames(nameStart);
  const waiting: Needed[] = [];
  const heirsOf = createHeirs(document, prefix + shapes.schema!.section!);
  const copy = createCopyShape(shapes, refer);
  return { copy, collect, needAll };

  /** A reference may also be the name alone of what stands in the section. */
  function refer(written: string, shape: ShapeName): string | undefined {
    const section = shapes[shape]!.section!;
    const reference = written.startsWith("#") ? written : `${prefix}${section}/${escapeName(written)}`;
    const first = resolvePointer(document, reference);
    const node = shapes[shape]!.keepsBesideReference === true ? first : followReferences(document, first);
    const isFlag = typeof node === "boolean" && shapes[shape]!.allowsFlag === true;
    if (!isObject(node) && !isFlag) return undefined;
    // Flags are all the same, but not at the same place.
    const identity = isFlag ? reference : node;
    const names = getOrAdd(known, section, () => new Map<unknown, string>());
    let name = names.get(identity);
    if (name === undefined) {
      const own = `${prefix}${section}/`;
      name = nameOnce(section, reference.slice(reference.startsWith(own) ? own.length : "#/".length));
      names.set(identity, name);
      waiting.push({ shape, section, name, node });
    }
    return `${prefix}${section}/${name}`;
  }

  function* needAll(): Steps<void> {
    for (const [reference, shape] of yield* referencesToAll(document, places)) {
      yield;
      refer(reference, shape);
    }
  }

  function* collect({ read, written }: Budgets): Steps<CollectedComponents | undefined> {
    const { all, add } = createSections();
    // Copying one may ask for others.
    for (const { shape, section, name, node } of waiting) {
      yield;
      if (!(yield* read.allows(node))) return undefined;
      const copied = (yield* copy(node, shape)) ?? shapes[shape]!.replacement ?? shapes[shape]!.required ?? {};
      if (!(yield* written.allows([name, copied]))) return undefined;
      if (!add(section, name, copied)) return undefined;
      if (shape !== "schema") continue;
      for (const heir of yield* heirsOf(node)) {
        yield;
        refer(heir, "schema");
      }
    }
    return all;
  }
}

/** References to all that stands in the sections of a document. */
function* referencesToAll(document: JsonObject, { shapes, prefix }: ComponentPlaces): Steps<[string, ShapeName][]> {
  const all: [string, ShapeName][] = [];
  for (const [shape, { section }] of Object.entries(shapes)) {
    if (section === undefined) continue;
    const members = resolvePointer(document, `${prefix}${section}`);
    for (const name of Object.keys(isObject(members) ? members : {})) {
      yield;
      all.push([`${prefix}${section}/${escapeName(name)}`, shape as ShapeName]);
    }
  }
  return all;
}

type Sections = Readonly<{
  all: CollectedComponents;
  /** Adds a component; false where the section has too many. */
  add: (section: string, name: string, component: unknown) => boolean;
}>;

function createSections(): Sections {
  const all: Record<string, Record<string, unknown>> = {};
  const counts = new Map<string, number>();
  return { all, add };

  function add(section: string, name: string, component: unknown): boolean {
    const count = (counts.get(section) ?? 0) + 1;
    counts.set(section, count);
    setMember((all[section] ??= {}), name, component);
    return count <= mostMembers;
  }
}

/** Two names that come to the same in one section get numbers. */
function createNames(start = ""): (section: string, written: string) => string {
  const bySection = new Map<string, (wanted: string) => string>();
  return function nameOnce(section, written) {
    return getOrAdd(bySection, section, createNameOnce)(start + toName(decodeOrKeep(written)));
  };
}

/** Schemas that say of another one that they are of its kind: where that tells kinds apart, it needs them. */
function createHeirs(document: JsonObject, section: string): (schema: unknown) => Steps<readonly string[]> {
  let heirs: Map<unknown, string[]> | undefined;
  return function* heirsOf(schema) {
    if (!isObject(schema) || schema.discriminator === undefined) return [];
    heirs ??= yield* findHeirs(document, section);
    return heirs.get(schema) ?? [];
  };
}

function* findHeirs(document: JsonObject, section: string): Steps<Map<unknown, string[]>> {
  const heirs = new Map<unknown, string[]>();
  const all = resolvePointer(document, section);
  for (const [name, schema] of Object.entries(isObject(all) ? all : {})) {
    const kinds: unknown = isObject(schema) ? schema.allOf : undefined;
    yield;
    for (const kind of Array.isArray(kinds) ? (kinds as unknown[]) : []) {
      yield;
      if (!isObject(kind) || typeof kind.$ref !== "string") continue;
      const parent = resolvePointer(document, kind.$ref);
      getOrAdd(heirs, parent, () => []).push(`${section}/${escapeName(name)}`);
    }
  }
  return heirs;
}

function escapeName(name: string): string {
  return encodeURIComponent(name.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"));
}

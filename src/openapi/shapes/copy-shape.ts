import { isObject, type JsonObject, setMember } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import { type Field, isExtension, type Shape, type ShapeName, type Shapes } from "./shape.ts";

/** Makes of a reference what leads to the same in the copy; undefined for one that leads nowhere. */
type Refer = (reference: string, shape: ShapeName) => string | undefined;

/** Copies one of OpenAPI's objects; undefined where there is none to copy. */
export type CopyShape = (value: unknown, name: ShapeName) => Steps<unknown>;

const valuesOfStep = 64;

/**
 * Prepares to copy objects of one version: what the version does not know, and extensions, are left out, what it asks for
 * is there, and references lead to copies. So the outcome is well-formed whatever a service writes.
 */
export function createCopyShape(shapes: Shapes, refer: Refer): CopyShape {
  let values = 0;
  return copyShape;

  function* copyShape(value: unknown, name: ShapeName): Steps<unknown> {
    values += 1;
    if (values % valuesOfStep === 0) yield;
    const shape = shapes[name]!;
    if (shape.allowsFlag === true && typeof value === "boolean") return value;
    if (!isObject(value)) return undefined;
    const { $ref: reference } = value;
    if (typeof reference !== "string") return yield* copyFields(value, name);
    const led = shape.section === undefined ? undefined : refer(reference, name);
    const beside = shape.keepsBesideReference === true ? ((yield* copyFields(value, name)) as object) : {};
    if (led !== undefined) return { ...beside, $ref: led };
    return shape.replacement === undefined ? undefined : { ...shape.replacement, ...beside };
  }

  function* copyFields(value: JsonObject, name: ShapeName): Steps<unknown> {
    const shape = shapes[name]!;
    const copy: Record<string, unknown> = { ...shape.required };
    for (const key of Object.keys(value)) {
      const copied = yield* copyField(fieldOf(shape, key), value[key]);
      if (copied !== undefined) setMember(copy, key, copied);
    }
    return shape.complete?.(copy) ?? copy;
  }

  function* copyField(field: Field | undefined, value: unknown): Steps<unknown> {
    values += 1;
    if (values % valuesOfStep === 0) yield;
    if (field === undefined) return undefined;
    if (field === "plain") return (yield* holdsReference(value)) ? undefined : value;
    if (typeof field === "string") return isOfKind[field](value) ? value : undefined;
    if ("one" in field) {
      return field.orFlag === true && typeof value === "boolean" ? value : yield* copyShape(value, field.one);
    }
    if ("list" in field)
      return Array.isArray(value) ? nonEmpty(yield* copyAll(value, field.list, copyShape)) : undefined;
    if (!isObject(value)) return undefined;
    return "map" in field ? yield* copyMap(value, field) : yield* copyReferences(value, field.references, refer);
  }

  function* copyMap(value: JsonObject, { map, named }: Extract<Field, { map: ShapeName }>): Steps<object> {
    const copies: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const copied = named?.test(key) === false ? undefined : yield* copyShape(value[key], map);
      if (copied !== undefined) setMember(copies, key, copied);
    }
    return copies;
  }
}

function* copyReferences(value: JsonObject, shape: ShapeName, refer: Refer): Steps<object> {
  const led: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    yield;
    const reference = value[key];
    const found = typeof reference === "string" ? refer(reference, shape) : undefined;
    if (found !== undefined) setMember(led, key, found);
  }
  return led;
}

/** What nobody knows may be followed by those who look for references everywhere. */
function* holdsReference(root: unknown): Steps<boolean> {
  let objects = 0;
  return yield* holds(root);

  function* holds(value: unknown): Steps<boolean> {
    if (typeof value !== "object" || value === null) return false;
    objects += 1;
    if (objects % valuesOfStep === 0) yield;
    if (Object.hasOwn(value, "$ref")) return true;
    for (const inner of Object.values(value)) if (yield* holds(inner)) return true;
    return false;
  }
}

/** Copies a list of objects, of which those are left out that are none. */
export function* copyAll(values: readonly unknown[], name: ShapeName, copy: CopyShape): Steps<unknown[]> {
  const copies: unknown[] = [];
  for (const value of values) {
    const copied = yield* copy(value, name);
    if (copied !== undefined) copies.push(copied);
  }
  return copies;
}

function fieldOf({ fields, openBut }: Shape, key: string): Field | undefined {
  if (Object.hasOwn(fields, key)) return fields[key];
  const isKept = openBut !== undefined && !openBut.has(key) && key !== "$ref" && !isExtension(key);
  return isKept ? "plain" : undefined;
}

/** Lists that would be empty are not allowed where schemas are listed, and say nothing elsewhere. */
function nonEmpty(items: unknown[]): unknown[] | undefined {
  return items.length === 0 ? undefined : items;
}

const isOfKind: Readonly<Record<Exclude<Extract<Field, string>, "plain">, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  flag: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number" || typeof value === "bigint",
  anything: () => true,
  texts: (value) => Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string"),
  some: (value) => Array.isArray(value) && value.length > 0,
};

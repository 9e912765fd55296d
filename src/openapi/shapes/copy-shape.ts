import { isObject, type JsonObject } from "../../json/json-object.ts";
import { type Field, isExtension, type Shape, type ShapeName, type Shapes } from "./shape.ts";

/** Makes of a reference what leads to the same in the copy; undefined for one that leads nowhere. */
export type Refer = (reference: string, shape: ShapeName) => string | undefined;

/** Copies one of OpenAPI's objects; undefined where there is none to copy. */
export type CopyShape = (value: unknown, name: ShapeName) => unknown;

/**
 * Prepares to copy objects of one version: what the version does not know, and extensions, are left out, what it asks for
 * is there, and references lead to copies. So the outcome is well-formed whatever a service writes.
 */
export function createCopyShape(shapes: Shapes, refer: Refer): CopyShape {
  return copyShape;

  function copyShape(value: unknown, name: ShapeName): unknown {
    const shape = shapes[name]!;
    if (shape.allowsFlag === true && typeof value === "boolean") return value;
    if (!isObject(value)) return undefined;
    const { $ref: reference } = value;
    if (typeof reference !== "string") return copyFields(value, name);
    const led = shape.section === undefined ? undefined : refer(reference, name);
    const beside = shape.keepsBesideReference === true ? (copyFields(value, name) as object) : {};
    if (led !== undefined) return { ...beside, $ref: led };
    return shape.replacement === undefined ? undefined : { ...shape.replacement, ...beside };
  }

  function copyFields(value: JsonObject, name: ShapeName): unknown {
    const shape = shapes[name]!;
    const kept = Object.entries(value).flatMap(([key, inner]) => {
      const copied = copyField(fieldOf(shape, key), inner);
      return copied === undefined ? [] : [[key, copied] as const];
    });
    const copied = { ...shape.required, ...Object.fromEntries(kept) };
    return shape.complete?.(copied) ?? copied;
  }

  function copyField(field: Field | undefined, value: unknown): unknown {
    if (field === undefined) return undefined;
    if (typeof field === "string") return isOfKind[field](value) ? value : undefined;
    if ("one" in field) {
      return field.orFlag === true && typeof value === "boolean" ? value : copyShape(value, field.one);
    }
    if ("list" in field) return Array.isArray(value) ? nonEmpty(copyAll(value, field.list)) : undefined;
    if (!isObject(value)) return undefined;
    return "map" in field ? copyMap(value, field) : copyReferences(value, field.references);
  }

  function copyAll(values: readonly unknown[], name: ShapeName): unknown[] {
    return values.map((value) => copyShape(value, name)).filter((copied) => copied !== undefined);
  }

  function copyMap(value: JsonObject, { map, named }: Extract<Field, { map: ShapeName }>): object {
    const copies = Object.entries(value).flatMap(([key, inner]) => {
      const copied = named?.test(key) === false ? undefined : copyShape(inner, map);
      return copied === undefined ? [] : [[key, copied] as const];
    });
    return Object.fromEntries(copies);
  }

  function copyReferences(value: JsonObject, shape: ShapeName): object {
    const led = Object.entries(value).flatMap(([key, reference]) => {
      const found = typeof reference === "string" ? refer(reference, shape) : undefined;
      return found === undefined ? [] : [[key, found] as const];
    });
    return Object.fromEntries(led);
  }
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

const isOfKind: Readonly<Record<Extract<Field, string>, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  flag: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number" || typeof value === "bigint",
  anything: () => true,
  plain: (value) => !holdsReference(value),
  texts: (value) => Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string"),
  some: (value) => Array.isArray(value) && value.length > 0,
};

/** What nobody knows may be followed by those who look for references everywhere. */
function holdsReference(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "$ref") || Object.values(value).some(holdsReference);
}

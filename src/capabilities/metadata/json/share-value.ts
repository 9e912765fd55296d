import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { Decimal, frozenDecimal } from "../../../dotnet/decimal.ts";
import { deepestJson } from "./json-options.ts";

/** Says of a value that it cannot be shared: somewhere it holds more than plain objects, arrays, decimals and primitives. */
export const notPlain = Symbol("not plain");

type Members = Record<string, unknown>;

/**
 * A deeply frozen copy of a plain tree, or {@link notPlain}. A copy, because a schema may give an object that belongs
 * to other code: a default value must not be frozen under its owner.
 */
export function frozenCopy(value: unknown, depth = 0): unknown {
  if (typeof value === "function" || typeof value === "symbol") return notPlain;
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepestJson) return notPlain; // deeper than any JSON: a cycle
  if (Array.isArray(value)) return copyArray(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return copyMembers(value, { ...value }, depth);
  if (prototype === null) return copyMembers(value, Object.assign(Object.create(null) as Members, value), depth);
  return isOurDecimal(value) ? frozenDecimal(new Decimal(value)) : notPlain;
}

function copyArray(values: readonly unknown[], depth: number): unknown {
  if (Object.getPrototypeOf(values) !== Array.prototype) return notPlain;
  const copies: unknown[] = [];
  for (const value of values) {
    const copy = frozenCopy(value, depth + 1);
    if (copy === notPlain) return notPlain;
    copies.push(copy);
  }
  return Object.freeze(copies);
}

function copyMembers(original: object, copy: Members, depth: number): unknown {
  if (Object.getOwnPropertySymbols(original).length > 0) return notPlain;
  for (const key of Object.keys(copy)) {
    const value = copy[key];
    if (typeof value === "string" || typeof value === "number") continue; // most members; nothing to copy
    const member = frozenCopy(value, depth + 1);
    if (member === notPlain) return notPlain;
    copy[key] = member;
  }
  return Object.freeze(copy);
}

function isOurDecimal(value: object): value is Decimal {
  return value instanceof Decimal && value.constructor === Decimal;
}

const verdicts = new WeakMap<$ZodType, boolean>();

/**
 * Whether the value that a schema gives may hold parts that are not made from the text: a default, or what a function
 * of the user returns. Such a part may belong to other code, or be no plain tree; any other value is ours alone.
 */
export function mayLend(schema: $ZodType): boolean {
  let verdict = verdicts.get(schema);
  if (verdict === undefined) verdicts.set(schema, (verdict = lends(schema, new Set())));
  return verdict;
}

function lends(schema: $ZodType, seen: Set<$ZodType>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { def } = (schema as $ZodTypes)._zod;
  const isReplaced = def.checks?.some((check) => check._zod.def.check === "overwrite") ?? false;
  if (isReplaced) return true;
  const parts = partsOf(schema);
  return parts === undefined || parts.some((part) => lends(part, seen));
}

/** The schemas that a schema consists of, or `undefined` for one of a type that may lend. */
function partsOf(schema: $ZodType): readonly $ZodType[] | undefined {
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
    case "literal":
    case "enum":
    case "any":
    case "unknown":
      return [];
    case "object":
      return [...Object.values(def.shape), ...(def.catchall ? [def.catchall] : [])];
    case "array":
      return [def.element];
    case "tuple":
      return [...def.items, ...(def.rest ? [def.rest] : [])];
    case "record":
      return [def.keyType, def.valueType];
    case "union":
      return def.options;
    case "intersection":
      return [def.left, def.right];
    case "lazy":
      return [def.getter()];
    case "optional":
    case "nullable":
    case "nonoptional":
    case "readonly":
      return [def.innerType];
    default:
      return undefined;
  }
}

/** Freezes a tree of plain objects and arrays all through. */
export function freezeTree(tree: unknown): unknown {
  if (typeof tree !== "object" || tree === null) return tree;
  for (const branch of branchesOf(tree)) if (typeof branch === "object") freezeTree(branch);
  return Object.freeze(tree);
}

/** The members of an object, or the items of an array. */
export function branchesOf(tree: object): readonly unknown[] {
  return Array.isArray(tree) ? tree : Object.values(tree);
}

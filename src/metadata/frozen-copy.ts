import { Decimal, frozenDecimal } from "../decimal.ts";
import { deepestJson } from "./json-options.ts";

/** Says of a value that it cannot be shared: somewhere it holds more than plain objects, arrays, decimals and primitives. */
export const notPlain = Symbol("not plain");

/**
 * A deeply frozen copy of a plain tree, or {@link notPlain}.
 * A copy, because what a schema gives may belong to somebody: a default value, say, must not be frozen under its owner.
 */
export function frozenCopy(value: unknown, depth = 0): unknown {
  if (typeof value === "function" || typeof value === "symbol") return notPlain;
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepestJson) return notPlain; // deeper than any JSON: a cycle
  if (Array.isArray(value)) return copyArray(value, depth + 1);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return copyObject(value, prototype, depth + 1);
  return isOurDecimal(value) ? frozenDecimal(new Decimal(value)) : notPlain;
}

function copyArray(values: readonly unknown[], depth: number): unknown {
  if (Object.getPrototypeOf(values) !== Array.prototype) return notPlain;
  const copies = values.map((value) => frozenCopy(value, depth));
  return copies.includes(notPlain) ? notPlain : Object.freeze(copies);
}

function copyObject(object: object, prototype: object | null, depth: number): unknown {
  const copy = Object.create(prototype) as object;
  for (const key of Reflect.ownKeys(object)) {
    const property = Object.getOwnPropertyDescriptor(object, key);
    if (typeof key === "symbol" || property?.enumerable !== true || !("value" in property)) return notPlain;
    property.value = frozenCopy(property.value, depth);
    if (property.value === notPlain) return notPlain;
    Object.defineProperty(copy, key, property);
  }
  return Object.freeze(copy);
}

function isOurDecimal(value: object): value is Decimal {
  return value instanceof Decimal && value.constructor === Decimal;
}

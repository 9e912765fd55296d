import { Decimal, frozenDecimal } from "../dotnet/decimal.ts";
import { deepestJson } from "./json-options.ts";

/** Says of a value that it cannot be shared: somewhere it holds more than plain objects, arrays, decimals and primitives. */
export const notPlain = Symbol("not plain");

type Members = Record<string, unknown>;

/**
 * A deeply frozen copy of a plain tree, or {@link notPlain}.
 * A copy, because what a schema gives may belong to somebody: a default value, say, must not be frozen under its owner.
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

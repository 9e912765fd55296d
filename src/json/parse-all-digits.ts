import { isWithinDepth } from "./is-within-depth.ts";
import { maximumDepth } from "./json-node.ts";

const manyDigits = /\d{16}/;
const integer = /^-?\d+$/;
// To read and to write millions of digits stops everything else for seconds: longer ones stay numbers.
const mostDigits = 4_096;

type Source = Readonly<{ source: string }>;
type ParseWithSource = (text: string, revive: (name: string, value: unknown, context: Source) => unknown) => unknown;

/** Parses JSON as `JSON.parse` does, but keeps the digits of integers that a number cannot hold: they become a bigint. */
export function parseAllDigits(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Reading it once more would exhaust the stack.
  if (!manyDigits.test(text) || !isWithinDepth(value, maximumDepth)) return value;
  return (JSON.parse as ParseWithSource)(text, keepDigits);
}

function keepDigits(_name: string, value: unknown, { source }: Source): unknown {
  const isExact =
    typeof value !== "number" || Number.isSafeInteger(value) || !integer.test(source) || source.length > mostDigits;
  return isExact ? value : BigInt(source);
}

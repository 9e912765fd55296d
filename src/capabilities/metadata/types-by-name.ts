import { Decimal, frozenDecimal } from "../../dotnet/decimal.ts";
import type { JsonReading } from "./json/json-options.ts";
import { parseBoolean, parseNullableBoolean } from "./parse-boolean.ts";
import { parseDecimal, parseDouble, parseSingle } from "./numbers/parse-fraction.ts";
import { integerReader } from "./numbers/parse-integer.ts";
import { parseJson } from "./json/parse-json.ts";
import type { CompiledOptions } from "./metadata-options.ts";

type Token<Value, Absent> = Readonly<{
  /** Turns a present text into the value, or throws a `Misfit`. What it returns is immutable. */
  read: (text: string, options: CompiledOptions, json: JsonReading) => Value;
  /** The value where there is neither text nor default. */
  absent: Absent;
  /** What a text of this type looks like, for error messages. */
  expected: string;
}>;

/** Every type a metadata value can be read as by name. The types of `getMetadata` derive from this table. */
export const tokens = {
  string: token((text): string => text, null, "text"),
  "string[]": token((text, options) => options.splitText(text), null, "a list"),
  byte: smallInteger("byte"),
  sbyte: smallInteger("sbyte"),
  short: smallInteger("short"),
  ushort: smallInteger("ushort"),
  int: smallInteger("int"),
  uint: smallInteger("uint"),
  long: bigInteger("long"),
  ulong: bigInteger("ulong"),
  float: token(parseSingle, 0, "a number"),
  double: token(parseDouble, 0, "a number"),
  decimal: token(parseDecimal, frozenDecimal(new Decimal(0)), "a number of at most 79228162514264337593543950335"),
  bool: token(parseBoolean, false, "a word"),
  "bool?": token(parseNullableBoolean, null, "a word"),
  json: token((text, _options, json): unknown => parseJson(text, json), null, "JSON"),
} as const;

/** The name of a type in {@link tokens}. */
export type TokenName = keyof typeof tokens;

/** What a value read as this token is. */
export type TokenValue<Name extends TokenName> = ReturnType<(typeof tokens)[Name]["read"]>;

/** What a token gives where there is neither text nor default. */
export type TokenAbsent<Name extends TokenName> = (typeof tokens)[Name]["absent"];

/** Whether a text is the name of a token. */
export function isTokenName(name: unknown): name is TokenName {
  return typeof name === "string" && Object.hasOwn(tokens, name);
}

function token<Value, Absent>(
  read: Token<Value, Absent>["read"],
  absent: Absent,
  expected: string,
): Token<Value, Absent> {
  return { read, absent, expected };
}

function smallInteger(name: Parameters<typeof integerReader>[0]): Token<number, number> {
  const { read, expected } = integerReader(name);
  return token((text, options) => Number(read(text, options)), 0, expected);
}

function bigInteger(name: Parameters<typeof integerReader>[0]): Token<bigint, bigint> {
  const { read, expected } = integerReader(name);
  return token(read, 0n, expected);
}

import { numberStyles } from "../../../dotnet/number-styles.ts";
import { Misfit } from "../metadata-error.ts";
import { type NumberConventions, type ScannedNumber, hasOnlyNulsFrom, isBlankAt, scanNumber } from "./scan-number.ts";

const integerTypes = {
  byte: { bits: 8, isSigned: false },
  sbyte: { bits: 8, isSigned: true },
  short: { bits: 16, isSigned: true },
  ushort: { bits: 16, isSigned: false },
  int: { bits: 32, isSigned: true },
  uint: { bits: 32, isSigned: false },
  long: { bits: 64, isSigned: true },
  ulong: { bits: 64, isSigned: false },
} as const;

type Range = Readonly<{ bits: number; isSigned: boolean; minimum: bigint; maximum: bigint }>;

/** How one integer type of .NET is read, and its range in words. */
type IntegerReader = Readonly<{
  read: (text: string, conventions: NumberConventions) => bigint;
  expected: string;
}>;

/** Makes the reader of an integer type: .NET's `Parse(text, style, culture)`. */
export function integerReader(type: keyof typeof integerTypes): IntegerReader {
  const range = rangeOf(type);

  function read(text: string, conventions: NumberConventions): bigint {
    const radix = radixOf(conventions.numberStyle);
    if (radix !== undefined) return parseBits(text, { ...radix, style: conventions.numberStyle, range });
    const number = scanNumber(text, conventions);
    if (number === undefined) throw new Misfit("format");
    return integerOf(number, range);
  }
  return { read, expected: `an integer from ${range.minimum} to ${range.maximum}` };
}

function rangeOf(type: keyof typeof integerTypes): Range {
  const { bits, isSigned } = integerTypes[type];
  const values = 1n << BigInt(bits);
  return isSigned
    ? { bits, isSigned, minimum: -values / 2n, maximum: values / 2n - 1n }
    : { bits, isSigned, minimum: 0n, maximum: values - 1n };
}

/** A fraction other than zero is out of range, not ill-formed: so .NET has it. */
function integerOf({ digits, scale, isNegative }: ScannedNumber, range: Range): bigint {
  if (digits === "") return 0n;
  const longest = 20;
  if (scale > longest || digits.length > scale) throw new Misfit("overflow");
  const size = BigInt(digits.padEnd(scale, "0"));
  const value = isNegative ? -size : size;
  if (value < range.minimum || value > range.maximum) throw new Misfit("overflow");
  return value;
}

type Radix = Readonly<{ bitsPerDigit: number; prefix: string; digit: RegExp }>;

/** The radixes with the styles that may stand beside them. */
const radixes = [
  {
    flag: numberStyles.AllowHexSpecifier,
    all: numberStyles.HexNumber,
    bitsPerDigit: 4,
    prefix: "0x",
    digit: /[0-9a-f]/i,
  },
  {
    flag: numberStyles.AllowBinarySpecifier,
    all: numberStyles.BinaryNumber,
    bitsPerDigit: 1,
    prefix: "0b",
    digit: /[01]/,
  },
] as const;

function radixOf(style: number): Radix | undefined {
  const radix = radixes.find(({ flag }) => (style & flag) !== 0);
  if (radix !== undefined && (style & ~radix.all) !== 0) throw new Misfit("argument");
  return radix;
}

/** The digits are the bits of the number, sign bit included: `FF` as `sbyte` is -1. */
function parseBits(
  text: string,
  { bitsPerDigit, prefix, digit, style, range }: Radix & { style: number; range: Range },
): bigint {
  let start = 0;
  if ((style & numberStyles.AllowLeadingWhite) !== 0) while (isBlankAt(text, start)) start++;
  let end = start;
  while (digit.test(text.charAt(end))) end++;
  let position = end;
  if ((style & numberStyles.AllowTrailingWhite) !== 0) while (isBlankAt(text, position)) position++;
  if (start === end || !hasOnlyNulsFrom(text, position)) throw new Misfit("format");
  while (start < end - 1 && text[start] === "0") start++;
  if ((end - start) * bitsPerDigit > range.bits) throw new Misfit("overflow");
  const bits = BigInt(prefix + text.slice(start, end));
  return range.isSigned ? BigInt.asIntN(range.bits, bits) : bits;
}

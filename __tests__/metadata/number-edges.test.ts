import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Decimal } from "../../src/dotnet/decimal.ts";
import type { MetadataValue } from "../../src/capabilities/metadata/get-metadata.ts";
import { errorOf, readerOf } from "./read-one.ts";

type NumberToken = "byte" | "sbyte" | "int" | "uint" | "long" | "float" | "double" | "decimal";

function read<Token extends NumberToken>(
  type: Token,
  value: string,
  CurrentCulture = "",
  NumberStyle = "Any",
): MetadataValue<Token> {
  return readerOf({ value }, { CurrentCulture, NumberStyle })("value", type) as MetadataValue<Token>;
}

describe("decimal holds what .NET's decimal holds", () => {
  const kept: [text: string, value: string, reason: string][] = [
    ["79228162514264337593543950335", "79228162514264337593543950335", "the largest"],
    ["79228162514264337593543950335.4", "79228162514264337593543950335", "rounded down to the largest"],
    ["7.92281625142643375935439503355", "7.922816251426433759354395034", "29 digits would not fit, 28 do"],
    ["0.1234567890123456789012345678901", "0.1234567890123456789012345679", "28 places at most"],
    ["0.00000000000000000000000000005", "0", "a half goes to even, down"],
    ["0.00000000000000000000000000015", "0.0000000000000000000000000002", "a half goes to even, up"],
    [
      "0.000000000000000000000000000050000000000000000001",
      "0.0000000000000000000000000001",
      "more than a half goes up",
    ],
    ["1e-29", "0", "too small is zero"],
    ["1e-999999999999", "0", "however small"],
    ["0e999999999999", "0", "zero is never too large"],
    ["1.50", "1.5", "trailing zeros are not kept"],
  ];
  test.each(kept)("%s is %s: %s", (text, value) => {
    expect(read("decimal", text).toString()).toBe(value);
  });

  test.each(["79228162514264337593543950335.5", "79228162514264337593543950336", "1e29", "-1e29", "1e999999999999"])(
    "%s is out of range",
    (text) => {
      expect(errorOf(() => read("decimal", text))).toMatchObject({ reason: "overflow" });
    },
  );

  test("its arithmetic keeps 29 digits, and it prints without exponent", () => {
    const third = read("decimal", "1").div(3);
    expect(third.toString()).toBe("0.33333333333333333333333333333");
    expect(read("decimal", "0.0000000000000000000000000001").toString()).toBe("0.0000000000000000000000000001");
    expect(Decimal.precision).toBe(29);
  });
});

describe("float is rounded once, from the text", () => {
  const bits = new DataView(new ArrayBuffer(4));
  const single = (pattern: number): number => {
    bits.setUint32(0, pattern);
    return bits.getFloat32(0);
  };
  /** Singles are multiples of 2^-149, and so what lies half way between two is one of 2^-150. */
  const units = (pattern: number): bigint => (pattern === 0x7f800000 ? 1n << 277n : BigInt(single(pattern) * 2 ** 149));
  const finitePatterns = fc.integer({ min: 0, max: 0x7f7fffff });

  test("half way goes to the even neighbour, a trace more or less does not", () => {
    fc.assert(
      fc.property(finitePatterns, fc.constantFrom("", "-"), (pattern, sign) => {
        const middle = (units(pattern) + units(pattern + 1)) * 5n ** 150n;
        const direction = sign === "-" ? -1 : 1;
        const even = pattern % 2 === 0 ? pattern : pattern + 1;
        expect(read("float", sign + decimalText(middle, 150))).toBe(direction * single(even));
        expect(read("float", sign + decimalText(middle * 10n + 1n, 151))).toBe(direction * single(pattern + 1));
        expect(read("float", sign + decimalText(middle * 10n - 1n, 151))).toBe(direction * single(pattern));
      }),
      {
        seed: 4,
        numRuns: 300,
        examples: [
          [0, ""],
          [1, "-"],
          [0x7f7fffff, ""],
          [0x7f7fffff, "-"],
          [0x007fffff, ""],
        ],
      },
    );
  });

  test("a trace that stands far behind counts", () => {
    const middle = `1.000000059604644775390625${"0".repeat(100_000)}`;
    expect(read("float", middle)).toBe(1);
    expect(read("float", `${middle}1`)).toBe(single(0x3f800001));
  });
});

describe("infinity and not-a-number are written as the culture writes them", () => {
  const symbols: [text: string, culture: string, value: number | "format"][] = [
    ["Infinity", "", Infinity],
    ["-infinity", "", -Infinity],
    ["+INFINITY", "", Infinity],
    [" nan ", "", NaN],
    ["-NaN", "", NaN],
    ["∞", "", "format"],
    ["∞", "de-DE", Infinity],
    ["-∞", "de-DE", -Infinity],
    ["\u2212∞", "nb-NO", -Infinity],
    ["Infinity", "de-DE", "format"],
    ["epäluku", "fi-FI", NaN],
  ];
  test.each(symbols)("%j in %j is %p", (text, culture, value) => {
    for (const type of ["float", "double"] as const) {
      if (value === "format") expect(errorOf(() => read(type, text, culture))).toMatchObject({ reason: "format" });
      else expect(read(type, text, culture)).toBe(value);
    }
  });
});

describe("cultures with more than one spelling", () => {
  const spellings: [text: string, culture: string, value: number | "format", reason: string][] = [
    ["\u200e-5", "he-IL", -5, "the sign as .NET has it"],
    ["-5", "he-IL", -5, "and without its invisible mark"],
    ["\u061c+5", "ar-EG", 5, "the same for plus"],
    ["\u200e\u22125", "fa-IR", -5, "a typographic minus"],
    ["-5", "fa-IR", -5, "for which a hyphen stands"],
    ["1\u2019234.5", "de-CH", 1234.5, "the older Swiss group separator"],
    ["1'234.5", "de-CH", 1234.5, "and the newer"],
    ["1 234.5", "de-CH", "format", "a blank is none there"],
    ["1 234,5", "fr-CH", 1234.5, "but it is in French"],
    ["1'234,5", "fr-CH", 1234.5, "beside the apostrophe"],
    ["\u0661", "ar-EG", "format", "digits are 0 to 9 everywhere"],
  ];
  test.each(spellings)("%j in %s is %p: %s", (text, culture, value) => {
    if (value === "format") expect(errorOf(() => read("double", text, culture))).toMatchObject({ reason: "format" });
    else expect(read("double", text, culture)).toBe(value);
  });
});

describe("shapes of text", () => {
  const shapes: [text: string, style: string, value: bigint | string, reason: string][] = [
    ["5\u0000\u0000", "Any", 5n, "NUL characters at the end are padding"],
    ["5\u00006", "Any", "format", "in the middle they are not"],
    ["(¤5)", "Any", -5n, "parentheses are a minus sign"],
    ["(5", "Any", "format", "and come in pairs"],
    ["-(5)", "Any", "format", "one sign is enough"],
    ["-¤ 5", "Any", -5n, "a blank may follow the currency"],
    ["- 5", "Any", "format", "but not the sign"],
    ["5-", "Any", -5n, "a sign may follow"],
    ["1,2,,3", "Any", 123n, "groups are of any length"],
    [",123", "Any", "format", "but do not come first"],
    ["1e3", "Any", 1000n, "integers have exponents, too"],
    ["1e", "Any", "format", "of at least a digit"],
    ["15e-1", "Any", "overflow", "a fraction is out of range"],
    ["1.0", "Any", 1n, "unless it is zero"],
    ["1e99999999999999999999", "Any", "overflow", "an exponent of any length"],
    ["0e99999999999999999999", "Any", 0n, "of zero is zero"],
    ["FFFFFFFFFFFFFFFF", "HexNumber", -1n, "hexadecimal digits are bits"],
    ["0000000000FFFFFFFFFFFFFFFF", "HexNumber", -1n, "zeros in front of them are none"],
    ["1FFFFFFFFFFFFFFFF", "HexNumber", "overflow", "too many"],
    ["1FFFFFFFFFFFFFFFFx", "HexNumber", "format", "ill-formed comes before too many"],
    [" 101\u0000", "BinaryNumber", 5n, "binary"],
    ["1", "HexNumber, AllowExponent", "argument", "hexadecimal goes with white space only"],
  ];
  test.each(shapes)("%j with %s is %p: %s", (text, style, value) => {
    if (typeof value === "string")
      expect(errorOf(() => read("long", text, "", style))).toMatchObject({ reason: value });
    else expect(read("long", text, "", style)).toBe(value);
  });
});

/** A whole number divided by a power of ten. */
function decimalText(number: bigint, places: number): string {
  const digits = number.toString().padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

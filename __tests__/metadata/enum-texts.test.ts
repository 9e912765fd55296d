import { describe, expect, test } from "@jest/globals";
import { parseNumberStyle } from "../../src/dotnet/number-styles.ts";
import { parseStringSplitOption } from "../../src/dotnet/split-options.ts";
import { isThrown, recordedRows, type Thrown } from "./recorded-rows.ts";

type Row = [text: string, numberStyle: number | Thrown, stringSplitOption: number | Thrown];

const rows = recordedRows<Row>("enum-texts.json");

/** Bits beyond these are defined by no flag: .NET takes such a number, fails at its first use, and we refuse it. */
const definedBits = { numberStyle: 2047, stringSplitOption: 3 };

function expected(result: number | Thrown, defined: number): number | undefined {
  return isThrown(result) || (result & ~defined) !== 0 ? undefined : result;
}

describe("the texts of NumberStyle and StringSplitOption mean what they mean in .NET", () => {
  test.each(rows)("%j", (text, numberStyle, stringSplitOption) => {
    expect(parseNumberStyle(text)).toBe(expected(numberStyle, definedBits.numberStyle));
    expect(parseStringSplitOption(text)).toBe(expected(stringSplitOption, definedBits.stringSplitOption));
  });

  const further: [text: string, bits: number | undefined, reason: string][] = [
    ["+167", 167, "a sign is part of a number"],
    ["167 ", 167, "blanks around a number are trimmed"],
    ["\u0085Float\u00a0", 167, "and so is every other white space of .NET"],
    ["\ufeffFloat", undefined, "a byte order mark is none"],
    ["1, AllowDecimalPoint", undefined, "numbers stand alone"],
    ["99999999999999999999", undefined, "a number too large has undefined bits"],
    ["constructor", undefined, "only the table's own names count"],
    ["AllowLeadingWhite, AllowLeadingWhite", 1, "a repeated name changes nothing"],
  ];
  test.each(further)("%j is %p: %s", (text, bits) => {
    expect(parseNumberStyle(text)).toBe(bits);
  });
});

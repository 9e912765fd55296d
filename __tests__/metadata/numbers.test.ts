import { describe, expect, test } from "@jest/globals";
import { MetadataError } from "../../src/errors.ts";
import { readerOf } from "./read-one.ts";
import { isThrown, recordedRows, type Thrown } from "./recorded-rows.ts";

const numberTypes = [
  "byte",
  "sbyte",
  "short",
  "ushort",
  "int",
  "uint",
  "long",
  "ulong",
  "float",
  "double",
  "decimal",
] as const;
type NumberType = (typeof numberTypes)[number];
type Row = [type: NumberType, numberStyle: string, culture: string, value: string, result: string | Thrown];

const rows = recordedRows<Row>("numbers.json");

/** How a recorded text compares: integers as they are, the others as numbers of their type. */
const comparable: Readonly<Record<NumberType, (text: string) => unknown>> = {
  byte: Number,
  sbyte: Number,
  short: Number,
  ushort: Number,
  int: Number,
  uint: Number,
  long: BigInt,
  ulong: BigInt,
  float: (text) => Math.fround(Number(text)),
  double: Number,
  decimal: (text) => text.replace(/(?<=\.\d*?)0+$/, "").replace(/\.$/, ""), // trailing zeros are not kept
};

function read([type, NumberStyle, CurrentCulture, value]: Row): unknown {
  try {
    const number = readerOf({ value }, { NumberStyle, CurrentCulture })("value", type);
    return typeof number === "object" ? number.toString() : number;
  } catch (error) {
    if (error instanceof MetadataError) return error.reason;
    throw error;
  }
}

describe("numbers are read as .NET's Parse reads them", () => {
  test.each(numberTypes)("%s", (type) => {
    const ofType = rows.filter((row) => row[0] === type);
    const expected = ofType.map((row) => [
      ...row,
      isThrown(row[4]) ? row[4].throws.toLowerCase() : comparable[type](row[4]),
    ]);
    expect(ofType.map((row) => [...row, read(row)])).toEqual(expected);
  });

  test("all recorded rows are there", () => {
    expect(rows).toHaveLength(5658);
  });
});

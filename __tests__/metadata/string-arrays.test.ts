import { describe, expect, test } from "@jest/globals";
import { readerOf } from "./read-one.ts";
import { recordedRows } from "./recorded-rows.ts";

type Row = [value: string, separators: string[], option: string, trimCharacters: string[], result: string[]];

const rows = recordedRows<Row>("string-arrays.json");

function read([value, Separators, StringSplitOption, TrimChars]: Row): unknown {
  return readerOf({ value }, { CurrentCulture: "", Separators, StringSplitOption, TrimChars })("value", "string[]");
}

describe("lists are split and trimmed as .NET's Split and Trim do", () => {
  test("every recorded row", () => {
    expect(rows.map((row) => [...row.slice(0, 4), read(row)])).toEqual(rows);
    expect(rows).toHaveLength(976);
  });
});

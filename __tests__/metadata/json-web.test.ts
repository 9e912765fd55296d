import { describe, expect, test } from "@jest/globals";
import * as z from "zod";
import { MetadataError } from "../../src/errors.ts";
import { readerOf } from "./read-one.ts";
import { isThrown, recordedRows, type Thrown } from "./recorded-rows.ts";

type Row = [type: string, text: string, result: { value: unknown } | Thrown];

const rows = recordedRows<Row>("json-web.json");

const item = z.object({ id: z.int32(), name: z.string(), score: z.number(), tags: z.array(z.string()) });

/** The recorded .NET types as schemas. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  string: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  int: z.int32(),
  "string[]": z.array(z.string()),
  "int[]": z.array(z.int32()),
  item,
  "item[]": z.array(item),
  "record<int>": z.record(z.string(), z.int32()),
};

function read([type, value]: Row): unknown {
  try {
    return { value: readerOf({ value })("value", schemas[type]!) };
  } catch (error) {
    if (error instanceof MetadataError) return { throws: "Json" };
    throw error;
  }
}

describe("JSON is read as .NET reads it with the web defaults", () => {
  test.each(Object.keys(schemas))("%s", (type) => {
    const ofType = rows.filter((row) => row[0] === type);
    expect(ofType.map((row) => [row[1], read(row)])).toEqual(ofType.map((row) => [row[1], row[2]]));
  });

  test("all recorded rows are there, none of them of an unknown type", () => {
    expect(rows).toHaveLength(165);
    expect(rows.filter(([type]) => schemas[type] === undefined)).toEqual([]);
    expect(rows.filter(([, , result]) => isThrown(result)).length).toBeGreaterThan(100);
  });
});

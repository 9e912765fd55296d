import { describe, expect, test } from "@jest/globals";
import * as z from "zod";
import * as mini from "zod/mini";
import { GatewayError, MetadataError } from "../../src/errors.ts";
import type { JsonOptions } from "../../src/capabilities/metadata/get-metadata.ts";
import { errorOf, readerOf } from "./read-one.ts";

function read(text: string, schema: z.core.$ZodType, json?: JsonOptions): unknown {
  return readerOf({ value: text })("value", schema, undefined, json);
}

type Tree = { Name: string; children?: Tree[] | undefined };
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ Name: z.string(), children: z.array(tree).optional() }));
const point = z.object({ X: z.number(), y: z.number() });

describe("member names match without case wherever a schema knows them", () => {
  const rows: [reason: string, schema: z.core.$ZodType, text: string, value: unknown][] = [
    ["in an object", point, '{"x":1,"Y":2}', { X: 1, y: 2 }],
    ["written with escapes", point, '{"\\u0078":1,"Y":2}', { X: 1, y: 2 }],
    ["in an array", z.array(point), '[{"x":1,"Y":2}]', [{ X: 1, y: 2 }]],
    [
      "in a tuple and its rest",
      z.tuple([z.string(), point], point),
      '["a",{"x":1,"Y":2},{"x":3,"Y":4}]',
      ["a", { X: 1, y: 2 }, { X: 3, y: 4 }],
    ],
    [
      "in the values of a record, whose own keys stay",
      z.record(z.string(), point),
      '{"A":{"x":1,"Y":2}}',
      { A: { X: 1, y: 2 } },
    ],
    [
      "below optional, nullable and default",
      z.object({ at: point.optional().nullable().default({ X: 0, y: 0 }) }),
      '{"AT":{"x":1,"Y":2}}',
      { at: { X: 1, y: 2 } },
    ],
    [
      "below readonly and catch",
      z.object({ at: point.readonly().catch({ X: 0, y: 0 }) }),
      '{"At":{"x":1,"Y":2}}',
      { at: { X: 1, y: 2 } },
    ],
    ["in a recursive schema", tree, '{"name":"a","Children":[{"NAME":"b"}]}', { Name: "a", children: [{ Name: "b" }] }],
    [
      "in a union, by the names of all alternatives",
      z.union([point, z.object({ Label: z.string() })]),
      '{"label":"a"}',
      { Label: "a" },
    ],
    [
      "in a discriminated union",
      z.discriminatedUnion("Kind", [z.object({ Kind: z.literal("a"), Size: z.number() })]),
      '{"kind":"a","size":1}',
      { Kind: "a", Size: 1 },
    ],
    [
      "in an intersection",
      z.intersection(z.object({ A: z.number() }), z.object({ B: z.number() })),
      '{"a":1,"b":2}',
      { A: 1, B: 2 },
    ],
    ["before a transform", point.transform(({ X, y }) => X + y), '{"x":1,"Y":2}', 3],
    ["in other members of an object", z.object({}).catchall(point), '{"a":{"x":1,"Y":2}}', { a: { X: 1, y: 2 } }],
    ["in a strict object", z.strictObject({ Name: z.string() }), '{"name":"a"}', { Name: "a" }],
    ["beyond ASCII", z.object({ Größe: z.number() }), '{"GRÖßE":1}', { Größe: 1 }],
    ["but ß is no SS", z.looseObject({ groß: z.number().optional() }), '{"GROSS":1}', { GROSS: 1 }],
    ["an exact name goes first", z.object({ id: z.number(), ID: z.number() }), '{"id":1,"ID":2}', { id: 1, ID: 2 }],
    [
      "with Zod Mini",
      mini.object({ Name: mini.string(), at: mini.optional(mini.array(mini.object({ X: mini.number() }))) }),
      '{"name":"a","AT":[{"x":1}]}',
      { Name: "a", at: [{ X: 1 }] },
    ],
  ];
  test.each(rows)("%s", (_reason, schema, text, value) => {
    expect(read(text, schema)).toEqual(value);
  });

  const lastOnes: [text: string, id: number][] = [
    ['{"id":1,"ID":2}', 2],
    ['{"ID":2,"id":1}', 1],
    ['{"id":1,"ID":2,"id":3}', 3],
    ['{"ID":1,"id":2,"ID":3}', 3],
    ['{"Id":1,"iD":2,"Id":3,"ID":4,"iD":5}', 5],
  ];
  test.each(lastOnes)("of several members for one name the last in the text counts: %s", (text, id) => {
    expect(read(text, z.object({ id: z.number() }))).toEqual({ id });
  });

  test("unless that is switched off", () => {
    expect(() => read('{"x":1,"Y":2}', point, { propertyNameCaseInsensitive: false })).toThrow(MetadataError);
    expect(read('{"X":1,"y":2}', point, { propertyNameCaseInsensitive: false })).toEqual({ X: 1, y: 2 });
  });
});

describe("a quoted number counts where the schema wants a number", () => {
  const rows: [reason: string, schema: z.core.$ZodType, text: string, value: unknown][] = [
    ["alone", z.number(), '"5"', 5],
    ["with sign and exponent", z.number(), '"-1.5e3"', -1500],
    ["several at once", point, '{"X":"1","y":"2.5"}', { X: 1, y: 2.5 }],
    ["in a union", z.union([z.number(), z.boolean()]), '"5"', 5],
    [
      "in an alternative of a union",
      z.object({ at: z.union([point, z.null()]) }),
      '{"at":{"X":"1","y":"2"}}',
      { at: { X: 1, y: 2 } },
    ],
    ["in a union inside a union", z.union([z.union([z.array(z.number()), z.null()]), z.boolean()]), '["1"]', [1]],
    ["in a record", z.record(z.string(), z.int()), '{"a":"1"}', { a: 1 }],
    ["where only certain numbers are wanted", z.object({ level: z.literal([1, 2]) }), '{"level":"2"}', { level: 2 }],
    ["a text stays one where a text is wanted", z.union([z.number(), z.string()]), '"5"', "5"],
    ["with Zod Mini", mini.object({ a: mini.number() }), '{"a":"1"}', { a: 1 }],
  ];
  test.each(rows)("%s", (_reason, schema, text, value) => {
    expect(read(text, schema)).toEqual(value);
  });

  test.each(['" 5"', '"5 "', '""', '"0x5"', '"1,000"', '"NaN"', '"Infinity"', '"five"', '"-"', '"."'])(
    "%s is no number",
    (text) => {
      expect(() => read(text, z.number())).toThrow(MetadataError);
    },
  );

  test("its bounds still count", () => {
    expect(() => read('"300"', z.int().max(255))).toThrow(MetadataError);
  });

  test("unless that is switched off", () => {
    expect(() => read('"5"', z.number(), { numbersFromStrings: false })).toThrow(MetadataError);
  });
});

describe("strictness", () => {
  const relaxed: [text: string, json: JsonOptions, value: unknown][] = [
    ["[1,2,]", { allowTrailingCommas: true }, [1, 2]],
    ['{"a":1,}', { allowTrailingCommas: true }, { a: 1 }],
    ["[1, /* one */ 2] // two", { comments: true }, [1, 2]],
    ["/* a */ [1,2,] // b", { comments: true, allowTrailingCommas: true }, [1, 2]],
    [
      '["// no comment", "/* none */", ",]"]',
      { comments: true, allowTrailingCommas: true },
      ["// no comment", "/* none */", ",]"],
    ],
    ['{"__proto__":1,}', { allowTrailingCommas: true }, JSON.parse('{"__proto__":1}')],
  ];
  test.each(relaxed)("%s with %j is read, without it is not", (text, json, value) => {
    expect(read(text, z.unknown(), json)).toEqual(value);
    expect(readerOf({ value: text })("value", "json", undefined, json)).toEqual(value);
    if (!text.startsWith('["')) expect(() => read(text, z.unknown())).toThrow(MetadataError);
  });

  const never: [text: string, reason: string][] = [
    ["[,]", "a comma alone"],
    ["[1,,2]", "two commas"],
    ["{,}", "a comma alone"],
    ["[1,2] 3", "something behind"],
    ["{a:1}", "a bare name"],
    ["['a']", "single quotes"],
    ["[1,2", "cut off"],
    ["/* open", "an open comment"],
    ["05", "a leading zero"],
    ["", "nothing"],
    ["// only a comment", "only a comment"],
    ["\ufeff[]", "a byte order mark"],
  ];
  test.each(never)("%j is never JSON: %s", (text) => {
    for (const json of [{}, { comments: true, allowTrailingCommas: true }]) {
      expect(errorOf(() => read(text, z.unknown(), json))).toMatchObject({ reason: "format" });
    }
  });

  test.each([{}, { comments: true }])("64 levels are the deepest, as in .NET, with %j", (json) => {
    const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    expect(() => read(nested(64), z.unknown(), json)).not.toThrow();
    for (const levels of [65, 100_000]) {
      expect(errorOf(() => read(nested(levels), z.unknown(), json))).toMatchObject({ reason: "format" });
      expect(errorOf(() => read(nested(levels), tree, json))).toBeInstanceOf(MetadataError);
    }
  });

  test("members named like those that every object inherits are only members", () => {
    const text = '{"__proto__":{"isAdmin":true},"constructor":1,"toString":2}';
    const value = read(text, z.record(z.string(), z.unknown()).or(z.unknown())) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.isAdmin).toBeUndefined();
    expect(value.constructor).toBe(1);
    const tokenValue = readerOf({ value: text })("value", "json") as Record<string, unknown>;
    expect(Object.getPrototypeOf(tokenValue)).toBe(Object.prototype);
    expect(Object.keys(tokenValue)).toEqual(["__proto__", "constructor", "toString"]);
  });
});

describe("what does not fit", () => {
  test("names the places, and has the issues of Zod as its cause", () => {
    const error = errorOf(() => read('{"X":"one","y":2}', point)) as MetadataError;
    expect(error).toBeInstanceOf(MetadataError);
    expect(error.message).toContain("X: ");
    expect((error.cause as z.core.$ZodError).issues).toMatchObject([{ path: ["X"], code: "invalid_type" }]);
  });

  test("an asynchronous schema is the programmer's mistake", () => {
    const asynchronous = z.string().refine(async (text) => text !== "");
    const error = errorOf(() => read('"a"', asynchronous));
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: "handler-misuse" });
  });

  test("an error that a schema throws is told with it", () => {
    const throwing = z.string().transform(() => {
      throw new TypeError("no such colour");
    });
    const error = errorOf(() => read('"a"', throwing));
    expect(error).toBeInstanceOf(MetadataError);
    expect(error).toMatchObject({ reason: "format", cause: new TypeError("no such colour") });
    expect((error as Error).message).toContain("no such colour");
  });

  test("is told at every read", () => {
    const getMetadata = readerOf({ value: "[1]" });
    const messages = [1, 2].map(() => (errorOf(() => getMetadata("value", z.string())) as Error).message);
    expect(messages[0]).toBe(messages[1]);
  });
});

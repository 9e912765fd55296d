import { describe, expect, test } from "@jest/globals";
import * as z from "zod";
import { Decimal } from "../../src/dotnet/decimal.ts";
import { GatewayError, MetadataError } from "../../src/errors.ts";
import { createMetadataReader, type MetadataType } from "../../src/capabilities/metadata/get-metadata.ts";
import { mergeMetadata } from "../../src/capabilities/metadata/merge-metadata.ts";
import { errorOf, readerOf } from "./read-one.ts";

const zero = new Decimal(0);

/** Each type with its value where there is none, and where the text is empty. */
const types: [type: MetadataType, absent: unknown, empty: unknown][] = [
  ["string", null, ""],
  ["string[]", null, [""]],
  ["byte", 0, "format"],
  ["sbyte", 0, "format"],
  ["short", 0, "format"],
  ["ushort", 0, "format"],
  ["int", 0, "format"],
  ["uint", 0, "format"],
  ["long", 0n, "format"],
  ["ulong", 0n, "format"],
  ["float", 0, "format"],
  ["double", 0, "format"],
  ["decimal", zero, "format"],
  ["bool", false, false],
  ["bool?", null, null],
  ["json", null, "format"],
  [z.string(), null, "format"],
];

describe("a key without a value", () => {
  const getMetadata = readerOf({ nothing: null });

  test.each(types)("read as %p gives %p, absent or null", (type, absent) => {
    expect(getMetadata("missing", type)).toEqual(absent);
    expect(getMetadata("nothing", type)).toEqual(absent);
    expect(getMetadata("missing", type, undefined)).toEqual(absent);
  });

  test.each(types)("read as %p with the default null gives null", (type) => {
    expect(getMetadata("missing", type, null)).toBeNull();
    expect(getMetadata("nothing", type, null)).toBeNull();
  });

  test("gives the default as it is, even where that counts as false", () => {
    const list = ["a"];
    expect(getMetadata("missing", "string[]", list)).toBe(list);
    expect(getMetadata("missing", "string", "")).toBe("");
    expect(getMetadata("missing", "int", 0)).toBe(0);
    expect(getMetadata("missing", "bool", false)).toBe(false);
    expect(getMetadata("missing", "bool?", false)).toBe(false);
  });

  test("names that every object inherits are absent too", () => {
    const plainObject = createMetadataReader({ routeId: "a", layers: {}, options: { CurrentCulture: "" } });
    for (const key of ["constructor", "toString", "__proto__", ""]) {
      expect(getMetadata(key, "string")).toBeNull();
      expect(plainObject(key, "string")).toBeNull();
    }
  });
});

describe("an empty text is a value", () => {
  test.each(types)("read as %p", (type, _absent, empty) => {
    const read = () => readerOf({ value: "" })("value", type, null);
    if (empty === "format") expect(errorOf(read)).toMatchObject({ reason: "format" });
    else expect(read()).toEqual(empty);
  });
});

describe("words", () => {
  const words: [text: string, bool: boolean, nullable: boolean | null][] = [
    ...["true", "yes", "ok", "on", "enable", "enabled"].map((word): [string, boolean, boolean] => [word, true, true]),
    ...["false", "no", "off", "disable", "disabled", "0"].map((word): [string, boolean, boolean] => [
      word,
      false,
      false,
    ]),
    ["1", false, true],
    ["TRUE", true, true],
    [" Yes\t", true, true],
    ["\u00a0oN\u3000", true, true],
    [" OFF ", false, false],
    ["maybe", false, null],
    ["y", false, null],
    ["truely", false, null],
    ["", false, null],
    ["o\u212a", false, null],
  ];
  test.each(words)("%j is %p as bool and %p as bool?", (text, bool, nullable) => {
    const getMetadata = readerOf({ value: text });
    expect(getMetadata("value", "bool")).toBe(bool);
    expect(getMetadata("value", "bool?")).toBe(nullable);
  });
});

describe("what was read stays", () => {
  test("a repeated read gives the very same value", () => {
    const getMetadata = readerOf({ list: "a,b", tree: '{"a":[1]}', price: "1.5" });
    const schema = z.object({ a: z.array(z.number()) });
    expect(getMetadata("list", "string[]")).toBe(getMetadata("list", "string[]"));
    expect(getMetadata("tree", "json")).toBe(getMetadata("tree", "json"));
    expect(getMetadata("tree", schema)).toBe(getMetadata("tree", schema));
    expect(getMetadata("price", "decimal")).toBe(getMetadata("price", "decimal"));
  });

  test("types, schemas and options of one key do not mix", () => {
    const getMetadata = readerOf({ value: "[1,2]" });
    expect(getMetadata("value", "string")).toBe("[1,2]");
    expect(getMetadata("value", "string[]")).toEqual(["[1", "2]"]);
    expect(getMetadata("value", "json")).toEqual([1, 2]);
    expect(getMetadata("value", z.array(z.number()))).toEqual([1, 2]);
    expect(getMetadata("value", z.tuple([z.number()], z.number()))).toEqual([1, 2]);
    expect(() => getMetadata("value", z.array(z.string()))).toThrow(MetadataError);
    expect(getMetadata("value", "string")).toBe("[1,2]");
  });

  test("a schema is run once for a value, however often it is read", () => {
    let runs = 0;
    const counting = z.string().transform((text) => `${text}${++runs}`);
    const getMetadata = readerOf({ value: '"a"' });
    expect([getMetadata("value", counting), getMetadata("value", counting)]).toEqual(["a1", "a1"]);
  });

  test("schemas made anew for each read work, and do not push the others out of correctness", () => {
    const getMetadata = readerOf({ value: "5" });
    for (let round = 0; round < 100; round++) expect(getMetadata("value", z.number())).toBe(5);
    expect(getMetadata("value", "int")).toBe(5);
  });
});

describe("options", () => {
  test("configured ones replace the defaults", () => {
    const getMetadata = readerOf(
      { list: "*a*; b ;;", number: "1.234,5" },
      {
        CurrentCulture: "de-DE",
        NumberStyle: "AllowThousands, AllowDecimalPoint",
        Separators: [";"],
        TrimChars: ["*"],
        StringSplitOption: "RemoveEmptyEntries",
      },
    );
    expect(getMetadata("list", "string[]")).toEqual(["a", " b "]);
    expect(getMetadata("number", "double")).toBe(1234.5);
  });

  test("the defaults are the comma, the blank, any number style and no removal", () => {
    const getMetadata = readerOf({ list: " a ,,\tb", number: " (¤1,234.50e1) " });
    expect(getMetadata("list", "string[]")).toEqual(["a", "", "\tb"]);
    expect(getMetadata("number", "double")).toBe(-12345);
  });

  test("are compiled once for all routes that share them", () => {
    const options = { CurrentCulture: "fr-FR" };
    const metadata = mergeMetadata({ number: "1,5" }, undefined);
    const readers = Array.from({ length: 10_000 }, (_, id) =>
      createMetadataReader({ routeId: String(id), layers: { global: metadata }, options }),
    );
    expect(readers.at(-1)?.("number", "double")).toBe(1.5);
  });

  test("texts that a configuration would have refused are refused here, too", () => {
    expect(errorOf(() => readerOf({}, { CurrentCulture: "", NumberStyle: "Anything" }))).toMatchObject({
      code: "option-invalid",
    });
    expect(errorOf(() => readerOf({}, { CurrentCulture: "", StringSplitOption: "Some" }))).toMatchObject({
      code: "option-invalid",
    });
  });
});

describe("a type that is none is the programmer's mistake", () => {
  const mistakes: [type: unknown, found: string][] = [
    ["integer", '"integer"'],
    ["constructor", '"constructor"'],
    [undefined, "undefined"],
    [Number, "function"],
    [{ parse: () => 1 }, "object"],
  ];
  test.each(mistakes)("%p", (type, found) => {
    const getMetadata = readerOf({ value: "1" });
    for (const key of ["value", "missing"]) {
      const error = errorOf(() => getMetadata(key, type as "int"));
      expect(error).toBeInstanceOf(GatewayError);
      expect(error).toMatchObject({ code: "handler-misuse" });
      expect((error as GatewayError).message).toContain(found);
      expect((error as GatewayError).message).toContain("bool?");
    }
  });
});

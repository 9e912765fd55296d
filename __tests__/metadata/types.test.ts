import { describe, expect, test } from "@jest/globals";
import * as z from "zod";
import * as mini from "zod/mini";
import type { Decimal } from "../../src/dotnet/decimal.ts";
import { MetadataError } from "../../src/errors.ts";
import type { MetadataType } from "../../src/capabilities/metadata/get-metadata.ts";
import { readerOf } from "./read-one.ts";

/** Compiles only where the value's type is exactly the expected one; at run time it hands the value on. */
function exactly<Expected>() {
  return <Actual>(value: Actual, ...mismatch: Same<Actual, Expected> extends true ? [] : [never]): Actual => {
    expect(mismatch).toEqual([]);
    return value;
  };
}

/** The compiler holds two deferred conditional types equal only where what they test is identical, `any` included. */
type Same<A, B> =
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the parameters are what defers the conditions
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const limits = z.object({ burst: z.number(), name: z.string().optional() });
type Limits = { burst: number; name?: string | undefined };
const miniLimits = mini.object({ burst: mini.number() });
const dated = z.string().transform((text) => new Date(text));

const getMetadata = readerOf({
  number: "5",
  text: "a",
  list: "a,b",
  tree: '{"burst":1}',
  date: '"2026-01-02"',
  word: "on",
});

describe("types flow from the token, the schema and the default", () => {
  test("tokens", () => {
    expect(exactly<string | null>()(getMetadata("text", "string"))).toBe("a");
    expect(exactly<readonly string[] | null>()(getMetadata("list", "string[]"))).toEqual(["a", "b"]);
    expect(exactly<number>()(getMetadata("number", "byte"))).toBe(5);
    expect(exactly<number>()(getMetadata("number", "sbyte"))).toBe(5);
    expect(exactly<number>()(getMetadata("number", "short"))).toBe(5);
    expect(exactly<number>()(getMetadata("number", "ushort"))).toBe(5);
    expect(exactly<number>()(getMetadata("number", "int"))).toBe(5);
    expect(exactly<number>()(getMetadata("number", "uint"))).toBe(5);
    expect(exactly<number>()(getMetadata("number", "float"))).toBe(5);
    expect(exactly<number>()(getMetadata("number", "double"))).toBe(5);
    expect(exactly<bigint>()(getMetadata("number", "long"))).toBe(5n);
    expect(exactly<bigint>()(getMetadata("number", "ulong"))).toBe(5n);
    expect(exactly<Decimal>()(getMetadata("number", "decimal")).toString()).toBe("5");
    expect(exactly<boolean>()(getMetadata("word", "bool"))).toBe(true);
    expect(exactly<boolean | null>()(getMetadata("word", "bool?"))).toBe(true);
    expect(exactly<unknown>()(getMetadata("tree", "json"))).toEqual({ burst: 1 });
  });

  test("schemas of Zod and Zod Mini", () => {
    expect(exactly<Limits | null>()(getMetadata("tree", limits))).toEqual({ burst: 1 });
    expect(exactly<{ burst: number } | null>()(getMetadata("tree", miniLimits))).toEqual({ burst: 1 });
    expect(exactly<Date | null>()(getMetadata("date", dated))?.getUTCFullYear()).toBe(2026);
  });

  test("a default takes the null away", () => {
    expect(exactly<string>()(getMetadata("missing", "string", "b"))).toBe("b");
    expect(exactly<readonly string[]>()(getMetadata("missing", "string[]", []))).toEqual([]);
    expect(exactly<number>()(getMetadata("missing", "int", 3))).toBe(3);
    expect(exactly<bigint>()(getMetadata("missing", "long", 3n))).toBe(3n);
    expect(exactly<Limits>()(getMetadata("missing", limits, { burst: 2 }))).toEqual({ burst: 2 });
  });

  test("but bool? may be null with any default, for its text may be neither", () => {
    expect(exactly<boolean | null>()(getMetadata("text", "bool?", true))).toBeNull();
    expect(exactly<boolean | null>()(getMetadata("missing", "bool?", true))).toBe(true);
  });

  test("a default that may be null or undefined brings back what it may bring", () => {
    const perhaps = (value: number | undefined): number | undefined => value;
    const text = (value: string | undefined): string | undefined => value;
    expect(exactly<number | null>()(getMetadata("missing", "int", null))).toBeNull();
    expect(exactly<number>()(getMetadata("missing", "int", perhaps(undefined)))).toBe(0);
    expect(exactly<string | null>()(getMetadata("missing", "string", text(undefined)))).toBeNull();
    expect(exactly<string | null>()(getMetadata("missing", "string", null))).toBeNull();
  });

  test("a type may be chosen at run time", () => {
    const read = <T extends MetadataType>(type: T) => getMetadata("number", type, null);
    expect(exactly<number | null>()(read("int"))).toBe(5);
    for (const type of ["int", "double"] as const) expect(exactly<number>()(getMetadata("number", type))).toBe(5);
    for (const type of ["long", "ulong", "string"] as const) {
      expect(String(exactly<bigint | string | null>()(getMetadata("number", type)))).toBe("5");
    }
  });
});

describe("what must not compile", () => {
  test("a token that is none", () => {
    // @ts-expect-error -- a type that does not exist
    expect(() => getMetadata("number", "integer")).toThrow("integer");
    // @ts-expect-error -- tokens are spelled exactly
    expect(() => getMetadata("number", "Int")).toThrow("Int");
    // @ts-expect-error -- a JavaScript class is no token
    expect(() => getMetadata("number", Number)).toThrow("function");
    // @ts-expect-error -- the type is not optional
    expect(() => getMetadata("number")).toThrow("undefined");
  });

  test("a default of another type", () => {
    // @ts-expect-error -- a text for a number
    expect(getMetadata("missing", "int", "3")).toBe("3");
    // @ts-expect-error -- a number for a bigint
    expect(getMetadata("missing", "long", 3)).toBe(3);
    // @ts-expect-error -- a text for a list
    expect(getMetadata("missing", "string[]", "a,b")).toBe("a,b");
    // @ts-expect-error -- a list of something else
    expect(getMetadata("missing", "string[]", [1])).toEqual([1]);
    // @ts-expect-error -- a word for a boolean
    expect(getMetadata("missing", "bool", "true")).toBe("true");
    // @ts-expect-error -- what the schema does not give
    expect(getMetadata("missing", limits, { burst: "2" })).toEqual({ burst: "2" });
    // @ts-expect-error -- the schema's input instead of its output
    expect(getMetadata("missing", dated, "2026-01-02")).toBe("2026-01-02");
  });

  test("using what may be null as if it were not", () => {
    // @ts-expect-error -- no default: the text may be null
    expect(() => getMetadata("missing", "string").length).toThrow(TypeError);
    // @ts-expect-error -- nor is there always a list
    expect(() => getMetadata("missing", "string[]").length).toThrow(TypeError);
    // @ts-expect-error -- nor a value of the schema
    expect(() => getMetadata("missing", limits).burst).toThrow(TypeError);
    // @ts-expect-error -- json is unknown until it was looked at
    expect(() => getMetadata("missing", "json").burst).toThrow(TypeError);
  });

  test("changing what others read", () => {
    // @ts-expect-error -- the list is read-only
    expect(() => getMetadata("list", "string[]", []).push("c")).toThrow(TypeError);
  });

  test("options that are none", () => {
    // @ts-expect-error -- a typo in an option
    expect(getMetadata("tree", "json", null, { comment: true })).toEqual({ burst: 1 });
    // @ts-expect-error -- options are booleans
    expect(getMetadata("tree", "json", null, { comments: "yes" })).toEqual({ burst: 1 });
  });

  test("reading a number that does not fit still throws, default or not", () => {
    expect(() => getMetadata("text", "int", 3)).toThrow(MetadataError);
  });
});

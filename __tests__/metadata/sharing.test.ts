import { describe, expect, test } from "@jest/globals";
import * as z from "zod";
import { Decimal } from "../../src/dotnet/decimal.ts";
import { mergeMetadata } from "../../src/capabilities/metadata/merge-metadata.ts";
import { readerOf } from "./read-one.ts";

/** Tries every change a caller could make to a tree of objects; what throws was frozen. */
function vandalise(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const child of Object.values(value)) vandalise(child, seen);
  for (const key of [...Object.keys(value), "0", "added"]) Reflect.set(value, key, "vandalised");
  for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
  Reflect.setPrototypeOf(value, null);
}

describe("nobody can change what others read", () => {
  const text = '{"list":[{"a":1},[2]],"text":"b","nothing":null}';
  const nested: z.ZodType = z.record(
    z.string(),
    z.union([z.array(z.lazy(() => nested).or(z.tuple([z.number()]))), z.string(), z.number(), z.null()]).optional(),
  );
  const plainSchemas: [name: string, schema: z.core.$ZodType][] = [
    ["an object", z.object({ list: z.array(z.unknown()), text: z.string(), nothing: z.null() })],
    ["anything", z.unknown()],
    ["a record", z.record(z.string(), z.any())],
    ["a recursive schema", z.lazy(() => nested)],
    ["a transform to plain objects", z.unknown().transform((tree) => ({ tree: [tree] }))],
    [
      "an object without prototype",
      z.unknown().transform(() => Object.assign(Object.create(null) as object, { list: [1] })),
    ],
    ["a decimal", z.unknown().transform(() => [new Decimal("1.5")])],
    ["members named __proto__", z.unknown().transform(() => JSON.parse('{"__proto__":{"a":[1]}}') as unknown)],
  ];

  test.each(plainSchemas)("a shared value is frozen all through: %s", (_name, schema) => {
    const getMetadata = readerOf({ value: text });
    const first = getMetadata("value", schema);
    const before = JSON.stringify(first);
    expect(getMetadata("value", schema)).toBe(first);
    vandalise(first);
    expect(JSON.stringify(getMetadata("value", schema))).toBe(before);
  });

  test("so are lists, JSON and decimals", () => {
    const getMetadata = readerOf({ list: "a,b", json: text, price: "1.5" });
    const readAll = () =>
      JSON.stringify([getMetadata("list", "string[]"), getMetadata("json", "json"), getMetadata("price", "decimal")]);
    const before = readAll();
    vandalise(getMetadata("list", "string[]"));
    vandalise(getMetadata("json", "json"));
    vandalise(getMetadata("price", "decimal"));
    expect(readAll()).toBe(before);
    expect(getMetadata("price", "decimal").plus(1).toString()).toBe("2.5");
    vandalise(getMetadata("missing", "decimal"));
    expect(getMetadata("missing", "decimal").plus(1).toString()).toBe("1");
  });

  const freshSchemas: [name: string, schema: z.core.$ZodType][] = [
    ["a Date", z.unknown().transform(() => new Date(0))],
    ["a Map inside", z.unknown().transform(() => ({ inside: [new Map([["a", 1]])] }))],
    ["a Set", z.unknown().transform(() => new Set([1]))],
    ["an object of a class", z.unknown().transform(() => new URL("http://a.example/"))],
    ["a function", z.unknown().transform(() => ({ call: () => 1 }))],
    ["a symbol as key", z.unknown().transform(() => ({ [Symbol.iterator]: [1] }))],
    ["a special array", z.unknown().transform(() => Uint8Array.of(1))],
    [
      "a cycle",
      z.unknown().transform(() => {
        const cycle: { self?: unknown } = {};
        cycle.self = cycle;
        return cycle;
      }),
    ],
    ["a foreign decimal", z.unknown().transform(() => new (Decimal.clone({ precision: 5 }))(1))],
  ];
  test.each(freshSchemas)("a value that holds more is made anew at each read: %s", (_name, schema) => {
    const getMetadata = readerOf({ value: text });
    const first = getMetadata("value", schema);
    const second = getMetadata("value", schema);
    expect(second).not.toBe(first);
    vandalise(first);
    expect(Object.keys(getMetadata("value", schema) as object)).toEqual(Object.keys(second as object));
  });

  const lent = { inner: { list: ["a"] } };
  const lendingSchemas: [name: string, schema: z.core.$ZodType][] = [
    ["a default", z.object({ lent: z.any().default(lent) })],
    ["a default to parse", z.object({ lent: z.any().prefault(lent) })],
    ["what is given instead of an error", z.object({ lent: z.never().catch(lent as never) }).or(z.never())],
    ["a transform", z.unknown().transform(() => ({ lent }))],
    ["a preprocessing", z.preprocess(() => ({ lent }), z.object({ lent: z.any() }))],
    ["an overwrite", z.looseObject({}).overwrite(() => ({ lent }))],
    ["a codec", z.codec(z.unknown(), z.unknown(), { decode: () => ({ lent }), encode: () => ({}) })],
    ["a part of a part", z.lazy(() => z.union([z.tuple([z.any()]), z.object({ lent: z.any().default(lent) })]))],
  ];
  test.each(lendingSchemas)("what a schema lends is not frozen under its owner: %s", (_name, schema) => {
    const read = readerOf({ value: "{}" })("value", schema) as { lent: typeof lent };
    expect(read).toEqual({ lent });
    expect(Object.isFrozen(read.lent.inner.list)).toBe(true);
    expect(Object.isFrozen(lent.inner.list)).toBe(false);
    lent.inner.list.push("b");
    expect(read.lent.inner.list).toEqual(["a"]);
    lent.inner.list.pop();
  });

  test("merged metadata are frozen", () => {
    expect(Object.isFrozen(mergeMetadata({ a: "1" }, { b: "2" }))).toBe(true);
  });
});

describe("a route's metadata lie over the global ones", () => {
  const own = (json: string): Record<string, string | null> => JSON.parse(json) as Record<string, string | null>;

  test("key by key, the global keys first", () => {
    const merged = mergeMetadata({ b: "global", a: "global" }, { c: "route", a: "route" });
    expect(Object.entries(merged)).toEqual([
      ["b", "global"],
      ["a", "route"],
      ["c", "route"],
    ]);
  });

  test("a null of the route hides the global value", () => {
    expect(readerOf(mergeMetadata({ a: "1" }, { a: null }))("a", "int", 7)).toBe(7);
  });

  test("keys are free text, compared exactly", () => {
    const merged = mergeMetadata(
      own('{"__proto__":"global","":"empty","constructor":"c"}'),
      own('{"__proto__":"route","A.b/c":"1","a.B/c":"2"}'),
    );
    expect(Object.getPrototypeOf(merged)).toBeNull();
    const getMetadata = readerOf(merged);
    const keys = ["__proto__", "", "constructor", "A.b/c", "a.B/c", "a.b/c", "hasOwnProperty"];
    expect(keys.map((key) => getMetadata(key, "string"))).toEqual(["route", "empty", "c", "1", "2", null, null]);
  });

  test("either may be missing", () => {
    expect(Object.keys(mergeMetadata(undefined, undefined))).toEqual([]);
    expect({ ...mergeMetadata({ a: "1" }, undefined) }).toEqual({ a: "1" });
    expect({ ...mergeMetadata(undefined, { a: "1" }) }).toEqual({ a: "1" });
  });
});

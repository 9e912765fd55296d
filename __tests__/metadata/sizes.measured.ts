import { describe, expect, test } from "@jest/globals";
import * as z from "zod";
import { MetadataError } from "../../src/errors.ts";
import { createGateway, parseConfig } from "../../src/index.ts";
import {
  createMetadataReader,
  type MetadataReadOptions,
  type MetadataType,
} from "../../src/capabilities/metadata/get-metadata.ts";
import { mergeMetadata } from "../../src/capabilities/metadata/merge-metadata.ts";
import { leastCost, timesUsual } from "../helpers/compare-costs.ts";
import { processorTimeOf } from "../helpers/processor-time.ts";
import { routeTo } from "../reload/scene.ts";
import { readerOf } from "./read-one.ts";

const megabyte = 1_000_000;

/** Anything quadratic would take minutes on these; what is linear takes a small part of this. */
const longestMilliseconds = 4_000;

/** Runs a read that may fail as a metadata error. */
async function expectQuick(read: () => unknown): Promise<void> {
  const milliseconds = () => processorTimeOf(() => attempt(read)) / 1_000;
  const cost = await leastCost({ suspected: milliseconds, most: longestMilliseconds });
  expect(cost).toBeLessThan(longestMilliseconds);
}

function attempt(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
  }
}

describe("a value of a megabyte is read in linear time", () => {
  const invariant: MetadataReadOptions = { CurrentCulture: "" };
  const values: [name: string, type: MetadataType, text: string, options?: MetadataReadOptions][] = [
    ["a text", "string", "a".repeat(megabyte)],
    ["a list of blanks", "string[]", " ".repeat(megabyte)],
    ["a list of separators", "string[]", ",".repeat(megabyte)],
    ["blanks within", "string[]", `a${" ".repeat(megabyte)}b`],
    [
      "white space to trim",
      "string[]",
      `a${" ".repeat(megabyte)}b`,
      { ...invariant, StringSplitOption: "TrimEntries", TrimChars: [] },
    ],
    [
      "separators that nearly match",
      "string[]",
      "-".repeat(megabyte),
      { ...invariant, Separators: ["----------x", "--------x"] },
    ],
    ["a word", "bool", `${" ".repeat(megabyte)}yes`],
    ["digits as long", "long", "9".repeat(megabyte)],
    ["zeros as long", "long", "0".repeat(megabyte)],
    ["groups as int", "int", "1,".repeat(megabyte / 2)],
    ["digits as double", "double", "9".repeat(megabyte)],
    ["a fraction as float", "float", `1.${"0".repeat(megabyte)}1`],
    ["a fraction half way as float", "float", `1.000000059604644775390625${"0".repeat(megabyte)}1`],
    ["digits as decimal", "decimal", "9".repeat(megabyte)],
    ["a fraction as decimal", "decimal", `1.${"9".repeat(megabyte)}`],
    ["blanks before a number", "int", `${" ".repeat(megabyte)}5`],
    ["blanks after a number", "int", `5${" ".repeat(megabyte)}x`],
    ["padding", "int", `5${"\0".repeat(megabyte)}`],
    ["padding that ends", "int", `5${"\0".repeat(megabyte)}6`],
    ["an exponent", "double", `1e${"9".repeat(megabyte)}`],
    ["hexadecimal", "ulong", "F".repeat(megabyte), { ...invariant, NumberStyle: "HexNumber" }],
    ["no number at all", "double", "x".repeat(megabyte)],
    ["JSON", "json", JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index))],
    ["JSON brackets", "json", "[".repeat(megabyte)],
    [
      "JSON of many names",
      z.record(z.string(), z.number()),
      JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`name${index}`, index]))),
    ],
    [
      "JSON of many quoted numbers",
      z.array(z.number()),
      JSON.stringify(Array.from({ length: 100_000 }, (_, index) => `${index}`)),
    ],
    [
      "JSON of many misspelt names",
      z.array(z.object({ id: z.number() })),
      JSON.stringify(Array.from({ length: 50_000 }, (_, ID) => ({ ID }))),
    ],
    ["quotes without end", z.string(), '"'.repeat(megabyte)],
    ["keys without end", z.string(), '"key'.repeat(megabyte / 4)],
    ["blanks behind names", z.string(), `"key"${" ".repeat(megabyte)}`],
  ];
  test.each(values)("%s", async (_name, type, text, options = invariant) => {
    await expectQuick(() => readerOf({ value: text }, options)("value", type));
  });

  test("and correctly", () => {
    const parts = readerOf({ value: "ab,".repeat(300_000) })("value", "string[]");
    expect(parts).toHaveLength(300_001);
    expect(readerOf({ value: `${"0".repeat(megabyte)}42` })("value", "long")).toBe(42n);
    expect(readerOf({ value: `0.${"0".repeat(megabyte)}42e${megabyte + 2}` })("value", "int")).toBe(42);
  });
});

describe("what GlobalConfiguration says to as many routes as it has words", () => {
  const words = Array.from({ length: 2_000 }, (_, index) => `https://a${index}.example`);
  const Routes = words.map((Key, index) => ({
    Key,
    ...routeTo(1, `/${index}`, { DownstreamScheme: "ws", Metadata: { Key } }),
  }));
  const Metadata = Object.fromEntries(words.map((word) => [word, "v"]));

  function start(text: string): () => number {
    return () => processorTimeOf(() => createGateway(parseConfig(text, { logger: false }), { logger: false }));
  }

  const usual = start(JSON.stringify({ Routes: [{ ...Routes[0], Metadata }, ...Routes.slice(1)] }));

  test.each<[what: string, GlobalConfiguration: object]>([
    ["metadata", { Metadata }],
    ["allowed origins", { AllowedOrigins: words }],
  ])("costs little more than if one route had said it: %s", async (_what, GlobalConfiguration) => {
    const suspected = start(JSON.stringify({ Routes, GlobalConfiguration }));
    const most = 4;
    expect(await timesUsual({ suspected, usual, most, atFirst: 1 })).toBeLessThan(most);
  });

  test("is merged with what a route says when it is asked for", () => {
    const text = JSON.stringify({ Routes, GlobalConfiguration: { Metadata: { ...Metadata, Key: "all" } } });
    const { routes } = createGateway(parseConfig(text, { logger: false }), { logger: false });
    const route = routes.get(words[7]!)!;
    expect(Object.entries(route.metadata)).toEqual([...words.map((word) => [word, "v"]), ["Key", words[7]]]);
    expect([Object.isFrozen(route), Object.isFrozen(route.metadata), Object.getPrototypeOf(route.metadata)]).toEqual([
      true,
      true,
      null,
    ]);
    expect(route.metadata).toBe(route.metadata);
    expect([route.getMetadata("Key", "string"), route.getMetadata(words[0]!, "string")]).toEqual([words[7], "v"]);
    expect(Object.keys(route)).toContain("metadata");
  });
});

describe("ten thousand", () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `plugin/${index}.value`);

  test("keys of one route", async () => {
    const metadata = mergeMetadata(
      Object.fromEntries(keys.map((key) => [key, "0"])),
      Object.fromEntries(keys.map((key, index) => [key, String(index)])),
    );
    const getMetadata = createMetadataReader({
      routeId: "a",
      layers: { route: metadata },
      options: { CurrentCulture: "" },
    });
    const read = () => keys.map((key) => getMetadata(key, "int"));
    await expectQuick(read);
    expect(read()).toEqual(keys.map((_, index) => index));
  });

  test("routes that share their options", async () => {
    const options = { CurrentCulture: "de-DE" };
    const global = { price: "1,5" };
    const create = () =>
      keys.map((routeId) => createMetadataReader({ routeId, layers: { global, route: { id: routeId } }, options }));
    await expectQuick(create);
    expect(
      create().every(
        (getMetadata, index) => getMetadata("id", "string") === keys[index] && getMetadata("price", "double") === 1.5,
      ),
    ).toBe(true);
  });
});

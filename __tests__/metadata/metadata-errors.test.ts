import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import * as z from "zod";
import { type ConfigError, createGateway, MetadataError, type MetadataType, parseConfig } from "../../src/index.ts";
import type { MetadataContract } from "../../src/capabilities/metadata/check-declared-metadata.ts";
import { errorOf, readerOf } from "./read-one.ts";

const target = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 9 }] };

describe("a value that does not fit", () => {
  const rows: [type: MetadataType, text: string, reason: string, message: string][] = [
    [
      "byte",
      "many",
      "format",
      'Invalid metadata "retries" of route "route-a": expected an integer from 0 to 255, received "many"',
    ],
    [
      "byte",
      "256",
      "overflow",
      'Invalid metadata "retries" of route "route-a": out of range, expected an integer from 0 to 255, received "256"',
    ],
    [
      "long",
      "",
      "format",
      'Invalid metadata "retries" of route "route-a": expected an integer from -9223372036854775808 to 9223372036854775807, received ""',
    ],
    ["double", "1..2", "format", 'Invalid metadata "retries" of route "route-a": expected a number, received "1..2"'],
    ["json", "{", "format", 'Invalid metadata "retries" of route "route-a": expected JSON, received "{"'],
    [
      z.object({ a: z.number() }),
      '{"a":true}',
      "format",
      'Invalid metadata "retries" of route "route-a": expected JSON that fits the schema, received "{\\"a\\":true}" (a: Invalid input: expected number, received boolean)',
    ],
  ];
  test.each(rows)("read as %p: %j", (type, value, reason, message) => {
    for (const fallback of [undefined, null]) {
      const error = errorOf(() => readerOf({ retries: value })("retries", type, fallback));
      expect(error).toBeInstanceOf(MetadataError);
      expect(error).toMatchObject({ message, code: "metadata-invalid", status: 500, expose: false });
      expect(error).toMatchObject({
        route: "route-a",
        key: "retries",
        value,
        reason,
        type: typeof type === "string" ? type : "schema",
      });
    }
  });

  test("a style that the type does not allow", () => {
    const getMetadata = readerOf({ mask: "FF" }, { CurrentCulture: "", NumberStyle: "HexNumber" });
    expect(getMetadata("mask", "byte")).toBe(255);
    expect(errorOf(() => getMetadata("mask", "double"))).toMatchObject({
      reason: "argument",
      message:
        'Invalid metadata "mask" of route "route-a": the configured NumberStyle does not allow the type double, received "FF"',
    });
  });

  test("a long value is cut in the message only", () => {
    const error = errorOf(() => readerOf({ a: "x".repeat(5000) })("a", "int")) as MetadataError;
    expect(error.message.length).toBeLessThan(500);
    expect(error.message).toContain("4800 characters more");
    expect(error.value).toHaveLength(5000);
  });

  test("many issues of a schema are cut", () => {
    const error = errorOf(() =>
      readerOf({ a: JSON.stringify(Array(100).fill("x")) })("a", z.array(z.number())),
    ) as MetadataError;
    expect(error.message).toContain("and 95 more");
  });
});

describe("secrets do not show", () => {
  const rows: [key: string, text: string, type: MetadataType][] = [
    ["apiToken", "hunter2", "int"],
    ["API_KEY", "hunter2", "decimal"],
    ["client-secret", '{"a":"hunter2', "json"],
    [
      "plugin1.Password",
      '{"a":"hunter2"}',
      z.object({ a: z.string().refine((text) => text === "", { error: (issue) => `bad ${String(issue.input)}` }) }),
    ],
    ["credentials", '{"password":"hunter2"}', z.object({ password: z.number() })],
    ["credentials", '{"nested":[{"accessToken" : "hunter2"}]}', z.string()],
    ["credentials", '{"apiKey":"hunter2"', "json"],
  ];
  test.each(rows)("%s: %s", (key, text, type) => {
    const error = errorOf(() => readerOf({ [key]: text })(key, type));
    expect(error).toBeInstanceOf(MetadataError);
    expect(error).toMatchObject({ key, route: "route-a" });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("hunter2");
    expect(JSON.stringify(error)).not.toContain("hunter2");
  });

  test("other values do", () => {
    expect((errorOf(() => readerOf({ retries: "hunter2" })("retries", "int")) as Error).message).toContain("hunter2");
  });

  test("what fits is read as it is", () => {
    expect(readerOf({ apiKey: "hunter2" })("apiKey", "string")).toBe("hunter2");
  });
});

describe("the types that the option metadata declares", () => {
  const declared = { "plugin1.enabled": "bool", retries: "byte", limits: z.object({ burst: z.int() }) } as const;

  function start(metadata: MetadataContract, routes: Readonly<Record<string, Record<string, string | null>>>): unknown {
    const Routes = Object.entries(routes).map(([Key, Metadata]) => {
      return { Key, ...target, UpstreamPathTemplate: `/${Key}`, DownstreamPathTemplate: "/", Metadata };
    });
    return createGateway(parseConfig({ Routes }, { logger: false }), { metadata, logger: false });
  }

  test("stop the start with every value of every route that does not fit", () => {
    const error = errorOf(() =>
      start(declared, {
        fits: { retries: "3", limits: '{"Burst":"5"}', other: "free" },
        twice: { retries: "many", limits: "[]" },
        empty: {},
        null: { retries: null },
        once: { retries: "256", "plugin1.enabled": "whatever" },
      }),
    );
    expect((error as ConfigError).problems.map(({ code, path }) => [code, path])).toEqual([
      ["metadata-value", 'Routes[1].Metadata["retries"]'],
      ["metadata-value", 'Routes[1].Metadata["limits"]'],
      ["metadata-value", 'Routes[4].Metadata["retries"]'],
    ]);
  });

  test("are refused where a type has no such name, even where no route has the key", () => {
    const mistaken = { retries: "integer" as "int" };
    expect(errorOf(() => start(mistaken, { a: {} }))).toMatchObject({ code: "handler-misuse" });
  });
});

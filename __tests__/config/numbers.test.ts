import { describe, expect, test } from "@jest/globals";
import { Ajv } from "ajv";
import { createJsonSchema } from "../../src/config/json-schema.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { allSections } from "../../src/config/sections.ts";
import type { Key } from "../../src/schema/key.ts";
import { refusalOf, route } from "./configurations.ts";

type Form = Readonly<{ type?: string | readonly string[]; items?: Form }>;
type Section = Readonly<{ properties: Readonly<Record<string, Form>> }>;
type Numeric = Readonly<{ at: string; form: Form; key: Key; isList: boolean }>;

const schema = createJsonSchema() as Section & { definitions: Readonly<Record<string, Section>> };
const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true });

function isNumber({ type = [] }: Form): boolean {
  return [type].flat().some((name) => name === "integer" || name === "number");
}

/** Every key whose value is a number, or a list of them, but texts of .NET that may be numbers, too. */
const numeric: readonly Numeric[] = allSections.flatMap(({ name, keys }) => {
  const { properties } = name === "root" ? schema : schema.definitions[name]!;
  return Object.entries(keys).flatMap(([keyName, key]): Numeric[] => {
    const form = properties[keyName]!;
    const isList = form.items !== undefined;
    const isOther = !isNumber(form.items ?? form) || "anyOf" in form || keyName === "DownstreamHttpVersion";
    return isOther ? [] : [{ at: `${name}.${keyName}`, form, key, isList }];
  });
});

/** Where 3 is none of the numbers. */
const witnesses: Readonly<Record<string, number>> = {
  "retry.Statuses": 503,
  "retry.Budget": 1,
  "global.TimeoutStatus": 503,
};

const spellings: readonly Readonly<{ of: string; spell: (number: number) => string; isRead: boolean }>[] = [
  { of: "in quotes", spell: (number) => `${number}`, isRead: true },
  { of: "with a fraction of 0", spell: (number) => `${number}.0`, isRead: true },
  { of: "with its sign", spell: (number) => `+${number}`, isRead: true },
  { of: "with an exponent", spell: (number) => `${number}e0`, isRead: true },
  { of: "behind a blank", spell: (number) => ` ${number}`, isRead: true },
  { of: "to the base of 16", spell: (number) => `0x${number.toString(16)}`, isRead: false },
  { of: "to the base of 8", spell: (number) => `0o${number.toString(8)}`, isRead: false },
  { of: "to the base of 2", spell: (number) => `0b${number.toString(2)}`, isRead: false },
  { of: "with a group of digits", spell: (number) => `${number}_0`, isRead: false },
  { of: "without an end", spell: () => "Infinity", isRead: false },
  { of: "of blanks alone", spell: () => " ", isRead: false },
];

function readBy(key: Key, written: unknown): unknown {
  if (!("schema" in key)) throw new Error("expected a key with a value");
  const result = key.schema.safeParse(written);
  return result.success ? result.data : "refused";
}

describe("A number is read in the same spellings wherever one stands, as the JSON Schema says", () => {
  test("there are the numbers of every mechanism", () => {
    expect(numeric.length).toBeGreaterThan(40);
    expect(numeric.map(({ at }) => at)).toEqual(
      expect.arrayContaining(["host.Port", "retry.Count", "retry.Statuses", "limits.Body", "redis.Timeout"]),
    );
  });

  test.each(spellings)("one $of", ({ spell, isRead }) => {
    const told = numeric.map(({ at, form, key, isList }) => {
      const number = witnesses[at] ?? 3;
      const [written, value] = isList ? [[spell(number)], [number]] : [spell(number), number];
      const read = readBy(key, written);
      const isSame = JSON.stringify(read) === JSON.stringify(value);
      return [at, isSame ? "read" : JSON.stringify(read), ajv.validate(form, written) ? "valid" : "invalid"];
    });

    expect(told).toEqual(
      numeric.map(({ at }) => (isRead ? [at, "read", "valid"] : [at, JSON.stringify("refused"), "invalid"])),
    );
  });

  test("no text is an absent number, but in a list an entry that is none", () => {
    const told = numeric.map(({ at, form, isList }) => [at, ajv.validate(form, isList ? [""] : "")]);

    expect(told).toEqual(numeric.map(({ at, isList }) => [at, !isList]));
    parseConfig({ Routes: [route({ Retry: { Count: "" }, Timeout: "" })] }, { logger: false });
    expect(refusalOf({ Routes: [route({ Retry: { Count: 1, Statuses: [""] } })] }).problems).toHaveLength(1);
  });
});

test.each<[reason: string, more: Readonly<Record<string, unknown>>]>([
  ["a count", { Retry: { Count: "0x3" } }],
  ["a share", { Retry: { Count: 1, Budget: "0x1" } }],
  ["a status", { Retry: { Count: 1, Statuses: ["0x1f7"] } }],
  ["none, which would count as absent", { Timeout: "0x0" }],
  ["a period in Ocelot's old spelling", { RateLimitOptions: { Limit: 1, Period: "1s", PeriodTimespan: "0x3" } }],
])("A gateway with %s to the base of 16 does not start", (_reason, more) => {
  expect(refusalOf({ Routes: [route(more)] }).problems.map(({ code }) => code)).toHaveLength(1);
});

test("The status of time-outs is a number as others are", () => {
  const config = (TimeoutStatus: unknown): unknown =>
    parseConfig({ Routes: [route()], GlobalConfiguration: { TimeoutStatus } }, { logger: false });

  for (const written of [503, "503", " 504 ", "504.0", "+503"]) expect(() => config(written)).not.toThrow();
  for (const written of [502, 505, 503.5, "503 or 504"]) expect(() => config(written)).toThrow("503 or 504");
});

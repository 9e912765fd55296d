import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parseConfig } from "../../src/config/parse-config.ts";
import { createLogBook, one, refusalOf, warningsOf } from "./configurations.ts";

const rows: readonly Readonly<{ reason: string; text: string; line: number; column: number }>[] = [
  { reason: "the first line", text: '{ "Routes": 1 }', line: 1, column: 13 },
  { reason: "a later line", text: '{\n  "Routes": 1\n}', line: 2, column: 13 },
  { reason: "lines that end in CRLF", text: '{\r\n\r\n  "Routes": 1\r\n}', line: 3, column: 13 },
  { reason: "lines that end in CR", text: '{\r  "Routes": 1\r}', line: 2, column: 13 },
  { reason: "a byte order mark, which has no column", text: '\ufeff{ "Routes": 1 }', line: 1, column: 13 },
  { reason: "comments before", text: '// one\n/* two\n three */ { "Routes": 1 }', line: 3, column: 23 },
  { reason: "a comma before the end", text: '{ "x-a": [1,],\n "Routes": 1, }', line: 2, column: 12 },
  {
    reason: "letters outside the basic plane, two units each",
    text: '{ "x-😀": "😀",\n"Routes": 1 }',
    line: 2,
    column: 11,
  },
  { reason: "tabs, one column each", text: '{\n\t\t"Routes": 1\n}', line: 2, column: 13 },
];

describe("A problem in a text is found at", () => {
  test.each(rows)("$reason", ({ text, line, column }) => {
    expect(refusalOf(text).problems).toEqual([
      { code: "wrong-type", path: "Routes", message: "expected a list of objects, found 1", line, column },
    ]);
  });
});

test("A problem in an object has no position, but the file that is named", () => {
  expect(refusalOf({ Routes: 1 }, { file: "gateway.json" }).problems).toEqual([
    { code: "wrong-type", path: "Routes", message: "expected a list of objects, found 1", file: "gateway.json" },
  ]);
});

test("The caret stands under its place, tabs before it kept", () => {
  const says = refusalOf('{\n\t"Routes": [1]\n}', { file: "gateway.json" }).message.split("\n");

  expect(says).toEqual([
    "The configuration gateway.json cannot be used: 1 problem.",
    "",
    "gateway.json:2:13 Routes[0] (wrong-type)",
    "  expected an object, found 1",
    '  2 | \t"Routes": [1]',
    "    | \t           ^",
  ]);
});

test("Of a minified file the surroundings of the place are shown", () => {
  const filler = "x".repeat(500);
  const says = refusalOf(`{"x-a":"${filler}","Routes":7,"x-b":"${filler}"}`).message.split("\n");

  expect(says.slice(2)).toEqual([
    "line 1, column 520 Routes (wrong-type)",
    "  expected a list of objects, found 7",
    `  1 | ${"x".repeat(39)}","Routes":7,"x-b":"${"x".repeat(41)}`,
    `    | ${" ".repeat(50)}^`,
  ]);
});

test("Ten mistakes in one file are all shown, each at its place", () => {
  const folder = new URL("../fixtures/config/", import.meta.url);
  const text = readFileSync(new URL("ten-mistakes.json", folder), "utf8");
  const expected = readFileSync(new URL("ten-mistakes.txt", folder), "utf8");

  const error = refusalOf(text, { file: "gateway.json" });

  expect(error.problems).toHaveLength(10);
  expect(`${error.message}\n`).toBe(expected);
});

test("A mistake in the shape of one route hides nothing in another", () => {
  const codes = refusalOf({ Routes: [5, { Key: ["a"] }, null] }).problems.map(({ code, path }) => `${path} ${code}`);

  expect(codes).toEqual([
    "Routes[1].Key wrong-type",
    "Routes[1] template-missing",
    "Routes[1] template-missing",
    "Routes[1] target-missing",
    "Routes[0] wrong-type",
    "Routes[2] wrong-type",
  ]);
});

test("A missing comma in one route hides nothing in the sound ones, and nothing is invented about the broken one", () => {
  const sound = (path: string): string =>
    `{ "UpstreamPathTemplate": "${path}", "DownstreamPathTemplate": "/", "ServiceName": "A/B" }`;
  const broken = '{ "UpstreamPathTemplate": "/a" "DownstreamPathTemplate": "/b" }';

  const { problems } = refusalOf(`{ "Routes": [\n${sound("orders")},\n${broken},\n${sound("stock")}\n] }`);

  expect(problems.map(({ code, line }) => `${line} ${code}`)).toEqual([
    "2 template-slash",
    "3 json-syntax",
    "4 template-slash",
  ]);
});

test("Each problem and each warning is logged once, in the order of the text", () => {
  const { logger, lines, fields } = createLogBook();
  const text = '{ "Rotues": [],\n"Routes": [{ "UpstreamPathTemplate": "/a", "Timeout": "soon" }] }';

  expect(() => parseConfig(text, { logger, file: "g.json" })).toThrow("3 problems");

  expect(lines).toEqual([
    'warn g.json:1:3 Rotues: "Rotues" is unknown here and has no effect – did you mean "Routes"? (key-unknown)',
    'error g.json:2:12 Routes[0]: DownstreamPathTemplate is missing: expected a path such as "/orders/{id}" (template-missing)',
    "error g.json:2:12 Routes[0]: the route goes nowhere: expected DownstreamHostAndPorts or a ServiceName; if it stands in another file, such as ocelot.Production.json, merge the two first (target-missing)",
    'error g.json:2:55 Routes[0].Timeout: expected a number of seconds above 0 and up to 2147483, found "soon" (wrong-type)',
  ]);
  expect(fields[3]).toMatchObject({
    code: "wrong-type",
    path: "Routes[0].Timeout",
    file: "g.json",
    line: 2,
    column: 55,
  });
});

describe("Names that mean something to JavaScript are names like any other", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", ""];

  test.each(names)("%j is an unknown key", (name) => {
    const text = JSON.stringify(one({})).replace("{", `{ ${JSON.stringify(name)}: 1,`);

    expect(warningsOf(text)).toEqual(["key-unknown"]);
  });
});

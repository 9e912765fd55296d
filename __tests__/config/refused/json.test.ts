import { describe, expect, test } from "@jest/globals";
import { refusalOf } from "../configurations.ts";

const rows: readonly Readonly<{ reason: string; input: unknown; says: readonly string[] }>[] = [
  {
    reason: "an empty file",
    input: "",
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 1 (json-syntax)",
      '  the text is empty: expected an object such as { "Routes": [] }',
      "  1 | ",
      "    | ^",
    ],
  },
  {
    reason: "nothing but a comment",
    input: "// later",
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 9 (json-syntax)",
      "  expected a value",
      "  1 | // later",
      "    |         ^",
    ],
  },
  {
    reason: "single quotes",
    input: "{ 'Routes': [] }",
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 3 (json-syntax)",
      "  this is neither a text in double quotes, nor a number, true, false or null",
      "  1 | { 'Routes': [] }",
      "    |   ^^^^^^^^",
    ],
  },
  {
    reason: "a missing comma",
    input: '{\n  "Routes": []\n  "GlobalConfiguration": {}\n}',
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 3, column 3 (json-syntax)",
      "  expected a comma or a closing bracket before this",
      '  3 |   "GlobalConfiguration": {}',
      "    |   ^^^^^^^^^^^^^^^^^^^^^",
    ],
  },
  {
    reason: "a brace that is never closed",
    input: '{ "Routes": [ { "Key": "a" } ]',
    says: [
      "The configuration cannot be used: 4 problems.",
      "",
      "line 1, column 15 Routes[0] (template-missing)",
      '  UpstreamPathTemplate is missing: expected a path such as "/orders/{id}"',
      '  1 | { "Routes": [ { "Key": "a" } ]',
      "    |               ^",
      "",
      "line 1, column 15 Routes[0] (template-missing)",
      '  DownstreamPathTemplate is missing: expected a path such as "/orders/{id}"',
      '  1 | { "Routes": [ { "Key": "a" } ]',
      "    |               ^",
      "",
      "line 1, column 15 Routes[0] (target-missing)",
      "  the route goes nowhere: expected DownstreamHostAndPorts or a ServiceName; if it stands in another file, such as ocelot.Production.json, merge the two first",
      '  1 | { "Routes": [ { "Key": "a" } ]',
      "    |               ^",
      "",
      "line 1, column 31 (json-syntax)",
      "  expected a comma or the closing brace }",
      '  1 | { "Routes": [ { "Key": "a" } ]',
      "    |                               ^",
    ],
  },
  {
    reason: "a text that is never closed",
    input: '{ "Routes": [], "x-note": "open }',
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 27 (json-syntax)",
      "  the text is not closed: expected a double quote on the same line",
      '  1 | { "Routes": [], "x-note": "open }',
      "    |                           ^^^^^^^",
    ],
  },
  {
    reason: "a comment that is never closed",
    input: '{ "Routes": [] } /* end',
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 18 (json-syntax)",
      "  the comment is not closed: expected */",
      '  1 | { "Routes": [] } /* end',
      "    |                  ^^^^^^",
    ],
  },
  {
    reason: "a Windows path with single backslashes",
    input: '{ "Routes": [], "Tls": { "Ca": "C:\\certs\\x.pem" } }',
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 32 (json-syntax)",
      '  this escape does not exist; a backslash itself is written "\\\\"',
      '  1 | { "Routes": [], "Tls": { "Ca": "C:\\certs\\x.pem" } }',
      "    |                                ^^^^^^^^^^^^^^^^",
    ],
  },
  {
    reason: "something after the end",
    input: '{ "Routes": [] } }',
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 18 (json-syntax)",
      "  expected nothing more after the configuration",
      '  1 | { "Routes": [] } }',
      "    |                  ^",
    ],
  },
  {
    reason: "a word that JSON lacks",
    input: '{ "Routes": [], "x-a": undefined, "x-b": NaN }',
    says: [
      "The configuration cannot be used: 2 problems.",
      "",
      "line 1, column 24 (json-syntax)",
      "  this is neither a text in double quotes, nor a number, true, false or null",
      '  1 | { "Routes": [], "x-a": undefined, "x-b": NaN }',
      "    |                        ^^^^^^^^^",
      "",
      "line 1, column 42 (json-syntax)",
      "  this is neither a text in double quotes, nor a number, true, false or null",
      '  1 | { "Routes": [], "x-a": undefined, "x-b": NaN }',
      "    |                                          ^^^",
    ],
  },
  {
    reason: "nesting without end",
    input: "[".repeat(100),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 65 (json-depth)",
      "  nested deeper than 64 levels",
      "  1 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
      "    |                                                                 ^",
    ],
  },
  {
    reason: "a list instead of an object",
    input: [],
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "configuration (wrong-type)",
      "  expected an object, found []",
    ],
  },
  {
    reason: "nothing at all",
    input: null,
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "configuration (wrong-type)",
      "  expected an object, found null",
    ],
  },
  {
    reason: "a function instead of a configuration",
    input: () => ({}),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "configuration (json-value)",
      "  expected a JSON value, found a function",
    ],
  },
  {
    reason: "a Map instead of an object",
    input: new Map(),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "configuration (json-value)",
      "  expected a JSON value, found a Map",
    ],
  },
  {
    reason: "a value that JSON has no place for",
    input: { Routes: [], Extensions: { run: () => 1 } },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Extensions.run (json-value)",
      "  expected a JSON value, found a function",
    ],
  },
];

describe("A configuration is refused for what is no JSON", () => {
  test.each(rows)("$reason", ({ input, says }) => {
    expect(refusalOf(input).message.split("\n")).toEqual(says);
  });
});

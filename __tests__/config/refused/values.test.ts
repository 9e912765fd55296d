import { describe, expect, test } from "@jest/globals";
import { global, one, refusalOf } from "../configurations.ts";

const rows: readonly Readonly<{ reason: string; input: unknown; says: readonly string[] }>[] = [
  {
    reason: "an unknown culture",
    input: global({ MetadataOptions: { CurrentCulture: "de-XX" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.MetadataOptions.CurrentCulture (culture-unknown)",
      '  expected a culture such as en-GB, found "de-XX"',
    ],
  },
  {
    reason: "an unknown number style",
    input: global({ MetadataOptions: { NumberStyle: "any" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.MetadataOptions.NumberStyle (number-style-unknown)",
      '  expected NumberStyles by name, list or number, such as "Any" or "AllowThousands, AllowDecimalPoint", found "any" – did you mean "Any"?',
    ],
  },
  {
    reason: "undefined bits of a number style",
    input: global({ MetadataOptions: { NumberStyle: 4096 } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.MetadataOptions.NumberStyle (number-style-unknown)",
      '  expected NumberStyles by name, list or number, such as "Any" or "AllowThousands, AllowDecimalPoint", found 4096',
    ],
  },
  {
    reason: "an empty number style, which is no absent one",
    input: global({ MetadataOptions: { NumberStyle: "" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.MetadataOptions.NumberStyle (number-style-unknown)",
      '  expected NumberStyles by name, list or number, such as "Any" or "AllowThousands, AllowDecimalPoint", found ""',
    ],
  },
  {
    reason: "an unknown split option",
    input: global({ MetadataOptions: { StringSplitOption: "RemoveEmpty" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.MetadataOptions.StringSplitOption (split-option-unknown)",
      '  expected StringSplitOptions by name, list or number, such as "RemoveEmptyEntries", found "RemoveEmpty" – did you mean "RemoveEmptyEntries"?',
    ],
  },
  {
    reason: "two characters to trim at once",
    input: global({ MetadataOptions: { TrimChars: [" ", "ab"] } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.MetadataOptions.TrimChars[1] (trim-char-length)",
      '  expected a single character (one UTF-16 unit), found "ab"',
    ],
  },
  {
    reason: "a character outside the basic plane",
    input: global({ MetadataOptions: { TrimChars: ["😀"] } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.MetadataOptions.TrimChars[0] (trim-char-length)",
      '  expected a single character (one UTF-16 unit), found "😀"',
    ],
  },
  {
    reason: "separators that are no list",
    input: global({ MetadataOptions: { Separators: ";" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.MetadataOptions.Separators (wrong-type)",
      '  expected a list of texts, such as ["a"], found ";"',
    ],
  },
  {
    reason: "a number where true or false is wanted",
    input: one({ RouteIsCaseSensitive: 1 }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].RouteIsCaseSensitive (wrong-type)",
      "  expected true or false, found 1",
    ],
  },
  {
    reason: "a word where a number is wanted",
    input: one({ Priority: "high" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].Priority (wrong-type)",
      '  expected a whole number up to 2147483647, found "high"',
    ],
  },
  {
    reason: "a month of milliseconds, which is more than a whole number holds",
    input: one({ LoadBalancerOptions: { Type: "CookieStickySessions", Key: "k", Expiry: 2_592_000_000 } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].LoadBalancerOptions.Expiry (wrong-type)",
      "  expected a whole number up to 2147483647, found 2592000000",
    ],
  },
  {
    reason: "a negative time-out",
    input: one({ Timeout: -1 }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].Timeout (wrong-type)",
      "  expected a number of seconds above 0 and up to 2147483, found -1",
    ],
  },
  {
    reason: "a list where text is wanted",
    input: one({ UpstreamHost: ["a.example.org"] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamHost (wrong-type)",
      "  expected text, found a list",
    ],
  },
  {
    reason: "metadata that is a text",
    input: one({ Metadata: "roles=admin" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].Metadata (wrong-type)",
      '  expected an object of texts, found "roles=admin"',
    ],
  },
  {
    reason: "a lock that has got among the metadata",
    input: one({ Metadata: { team: "shop", AuthenticationOptions: { AuthenticationProviderKey: "Bearer" } } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].Metadata.AuthenticationOptions (lock-misplaced)",
      '  "AuthenticationOptions" guards nothing here: it belongs into "GlobalConfiguration" or an entry of "Routes"',
    ],
  },
  {
    reason: "an unknown limit",
    input: one({ Limits: { Body: "1 MB", Url: 0 } }),
    says: [
      "The configuration cannot be used: 2 problems.",
      "",
      "Routes[0].Limits.Body (wrong-type)",
      '  expected a whole number of bytes, 0 or more, found "1 MB"',
      "",
      "Routes[0].Limits.Url (wrong-type)",
      "  expected a whole number, 1 or more, found 0",
    ],
  },
  {
    reason: "a request id that is no header name",
    input: one({ RequestIdKey: "Request Id" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].RequestIdKey (header-name-invalid)",
      '  expected the name of a header, such as X-Request-Id, found "Request Id"',
    ],
  },
  {
    reason: "a request id that would replace the host",
    input: global({ RequestIdKey: "Host" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.RequestIdKey (header-name-reserved)",
      '  expected a name that is neither hop-by-hop, framing, Host, Cookie nor Authorization, found "Host"',
    ],
  },
  {
    reason: "a header template for credentials",
    input: one({ UpstreamHeaderTemplates: { Authorization: "Bearer {token}" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamHeaderTemplates.Authorization (header-name-reserved)",
      '  expected a name that is neither hop-by-hop, framing, Host, Cookie nor Authorization, found "Authorization"',
    ],
  },
  {
    reason: "a header template that is an object",
    input: one({ UpstreamHeaderTemplates: { "X-Tenant": { value: "a" } } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamHeaderTemplates.X-Tenant (wrong-type)",
      "  expected text, found an object",
    ],
  },
  {
    reason: "the same key in two spellings",
    input: '{ "Routes": [], "GlobalConfiguration": { "Timeout": 1, "timeout": 2 } }',
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 56 GlobalConfiguration.timeout (key-repeated)",
      '  "timeout" stands twice in this object, first as "Timeout"; names match without case: remove one',
      '  1 | { "Routes": [], "GlobalConfiguration": { "Timeout": 1, "timeout": 2 } }',
      "    |                                                        ^^^^^^^^^",
    ],
  },
  {
    reason: "the same metadata key twice",
    input: '{ "GlobalConfiguration": { "Metadata": { "a": 1, "A": 2, "a": 3 } } }',
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "line 1, column 58 GlobalConfiguration.Metadata.a (key-repeated)",
      '  "a" stands twice in this object: remove one',
      '  1 | { "GlobalConfiguration": { "Metadata": { "a": 1, "A": 2, "a": 3 } } }',
      "    |                                                          ^^^",
    ],
  },
];

describe("A configuration is refused for its values", () => {
  test.each(rows)("$reason", ({ input, says }) => {
    expect(refusalOf(input).message.split("\n")).toEqual(says);
  });
});

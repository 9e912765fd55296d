import { describe, expect, test } from "@jest/globals";
import { one, refusalOf, service } from "../configurations.ts";

const rows: readonly Readonly<{ reason: string; input: unknown; says: readonly string[] }>[] = [
  {
    reason: "no upstream template",
    input: one({ UpstreamPathTemplate: undefined, DownstreamPathTemplate: "/api" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0] (template-missing)",
      '  UpstreamPathTemplate is missing: expected a path such as "/orders/{id}"',
    ],
  },
  {
    reason: "no downstream template",
    input: one({ DownstreamPathTemplate: null }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0] (template-missing)",
      '  DownstreamPathTemplate is missing: expected a path such as "/orders/{id}"',
    ],
  },
  {
    reason: "a mistyped key for a template",
    input: one({ DownstreamPathTemplate: undefined, DownstreamPathTemplat: "/api" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0] (template-missing)",
      '  DownstreamPathTemplate is missing: expected a path such as "/orders/{id}" – did you mean it by "DownstreamPathTemplat"?',
    ],
  },
  {
    reason: "an upstream template without its slash",
    input: one({ UpstreamPathTemplate: "orders/{id}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (template-slash)",
      '  expected a path that begins with "/", found "orders/{id}"',
    ],
  },
  {
    reason: "a downstream template without its slash",
    input: one({ DownstreamPathTemplate: "api/{id}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamPathTemplate (template-slash)",
      '  expected a path that begins with "/", found "api/{id}"',
    ],
  },
  {
    reason: "two slashes in a row",
    input: one({ UpstreamPathTemplate: "/orders//{id}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (template-double-slash)",
      '  expected single slashes, found "//" in "/orders//{id}"',
    ],
  },
  {
    reason: "a whole URL downstream",
    input: one({ DownstreamPathTemplate: "http://orders.local/api/{id}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamPathTemplate (template-scheme)",
      '  expected a path that begins with "/", found "http://orders.local/api/{id}": scheme and host belong into DownstreamScheme and DownstreamHostAndPorts',
    ],
  },
  {
    reason: "a placeholder that is not closed",
    input: one({ UpstreamPathTemplate: "/orders/{id" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (placeholder-unclosed)",
      '  expected the closing brace of a placeholder, found "{id" in "/orders/{id"',
    ],
  },
  {
    reason: "a placeholder without a name",
    input: one({ UpstreamPathTemplate: "/orders/{}", DownstreamPathTemplate: "/api" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (placeholder-empty)",
      '  expected the name of a placeholder (letters, digits and _) between the braces, found "{}" in "/orders/{}"',
    ],
  },
  {
    reason: "a placeholder with a blank in its name",
    input: one({ UpstreamPathTemplate: "/orders/{order id}", DownstreamPathTemplate: "/api" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (placeholder-ill-named)",
      '  expected a placeholder whose name is letters, digits and _ only, found "{order id}" in "/orders/{order id}"',
    ],
  },
  {
    reason: "a closing brace too many",
    input: one({ UpstreamPathTemplate: "/orders/{id}}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (placeholder-stray)",
      '  expected no closing brace without its opening brace, found "}" in "/orders/{id}}"',
    ],
  },
  {
    reason: "the same placeholder twice in a path",
    input: one({ UpstreamPathTemplate: "/orders/{id}/{id}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (placeholder-repeated)",
      '  "{id}" stands more than once in the upstream templates: give each placeholder its own name',
    ],
  },
  {
    reason: "the same placeholder in path and query",
    input: one({ UpstreamPathTemplate: "/orders/{id}?id={id}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (placeholder-repeated)",
      '  "{id}" stands more than once in the upstream templates: give each placeholder its own name',
    ],
  },
  {
    reason: "the same placeholder in path and header",
    input: one({ UpstreamHeaderTemplates: { "X-Id": "{id}" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamHeaderTemplates.X-Id (placeholder-repeated)",
      '  "{id}" stands more than once in the upstream templates: give each placeholder its own name',
    ],
  },
  {
    reason: "a placeholder that the upstream template lacks",
    input: one({ DownstreamPathTemplate: "/api/{order}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamPathTemplate (placeholder-missing)",
      '  "{order}" of DownstreamPathTemplate is not in the upstream template "/orders/{id}": add it there or remove it here',
    ],
  },
  {
    reason: "a placeholder in another case",
    input: one({ DownstreamPathTemplate: "/api/{Id}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamPathTemplate (placeholder-missing)",
      '  "{Id}" of DownstreamPathTemplate is not in the upstream template "/orders/{id}": add it there or remove it here – did you mean "{id}"?',
    ],
  },
  {
    reason: "a placeholder of the service name that is missing",
    input: service({ ServiceName: "Shop_{version}/Orders" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].ServiceName (placeholder-missing)",
      '  "{version}" of ServiceName is not in the upstream template "/orders/{id}": add it there or remove it here',
    ],
  },
  {
    reason: "two missing placeholders in one template",
    input: one({ DownstreamPathTemplate: "/{a}/{b}" }),
    says: [
      "The configuration cannot be used: 2 problems.",
      "",
      "Routes[0].DownstreamPathTemplate (placeholder-missing)",
      '  "{a}" of DownstreamPathTemplate is not in the upstream template "/orders/{id}": add it there or remove it here',
      "",
      "Routes[0].DownstreamPathTemplate (placeholder-missing)",
      '  "{b}" of DownstreamPathTemplate is not in the upstream template "/orders/{id}": add it there or remove it here',
    ],
  },
  {
    reason: "a placeholder as the name of a parameter",
    input: one({ UpstreamPathTemplate: "/orders/{id}?{name}=1" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (query-template)",
      '  a placeholder is the value of a parameter ("id={id}"), or all that is left ("?{rest}", "&{rest}"), found "{name}=1" in "{name}=1"',
    ],
  },
  {
    reason: "a rest that is not the last part",
    input: one({ UpstreamPathTemplate: "/orders/{id}?{rest}&kind=x" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamPathTemplate (query-template)",
      '  a placeholder is the value of a parameter ("id={id}"), or all that is left ("?{rest}", "&{rest}"), found "{rest}" in "{rest}&kind=***"',
    ],
  },
  {
    reason: "the whole query in a path",
    input: one({ UpstreamPathTemplate: "/orders?{rest}", DownstreamPathTemplate: "/api/{rest}" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamPathTemplate (rest-misplaced)",
      `  "{rest}" takes what the client's query holds: downstream it can only be the end of the query ("?{rest}", "&{rest}") or the value of a parameter ("?q={rest}"), found "/api/{rest}"`,
    ],
  },
  {
    reason: "the whole query with a parameter beside it",
    input: one({ UpstreamPathTemplate: "/orders?{rest}", DownstreamPathTemplate: "/api?{rest}&x=1" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamPathTemplate (rest-misplaced)",
      `  "{rest}" takes what the client's query holds: downstream it can only be the end of the query ("?{rest}", "&{rest}") or the value of a parameter ("?q={rest}"), found "/api?{rest}&x=***"`,
    ],
  },
  {
    reason: "the whole query in a service name",
    input: service({
      UpstreamPathTemplate: "/orders?{rest}",
      DownstreamPathTemplate: "/api",
      ServiceName: "Shop/{rest}",
    }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].ServiceName (rest-misplaced)",
      `  "{rest}" takes what the client's query holds: downstream it can only be the end of the query ("?{rest}", "&{rest}") or the value of a parameter ("?q={rest}"), found "Shop/{rest}"`,
    ],
  },
];

describe("A configuration is refused for its templates", () => {
  test.each(rows)("$reason", ({ input, says }) => {
    expect(refusalOf(input).message.split("\n")).toEqual(says);
  });
});

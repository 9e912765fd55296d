import { describe, expect, test } from "@jest/globals";
import { refusalOf, route } from "../configurations.ts";

const rows: readonly Readonly<{ reason: string; input: unknown; says: readonly string[] }>[] = [
  {
    reason: "the same route twice",
    input: { Routes: [route({ UpstreamHttpMethod: ["Get"] }), route(), route({ UpstreamHttpMethod: ["POST"] })] },
    says: [
      "The configuration cannot be used: 2 problems.",
      "",
      "Routes[1].UpstreamPathTemplate (route-repeated)",
      '  Routes[1] repeats Routes[0]: the same template "/orders/{id}", host and header templates, and one of them takes every method; remove one, or part their methods',
      "",
      "Routes[2].UpstreamPathTemplate (route-repeated)",
      '  Routes[2] repeats Routes[1]: the same template "/orders/{id}", host and header templates, and one of them takes every method; remove one, or part their methods',
    ],
  },
  {
    reason: "the same method twice under one template",
    input: { Routes: [route({ UpstreamHttpMethod: ["Get", "Put"] }), route({ UpstreamHttpMethod: ["put"] })] },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[1].UpstreamPathTemplate (route-repeated)",
      '  Routes[1] repeats Routes[0]: the same template "/orders/{id}", host and header templates, and both take PUT; remove one, or part their methods',
    ],
  },
  {
    reason: "the same host and headers in another spelling",
    input: {
      Routes: [
        route({ UpstreamHost: "API.example.org", UpstreamHeaderTemplates: { "X-A": "1", "X-B": "2" } }),
        route({ UpstreamHost: "api.example.org", UpstreamHeaderTemplates: { "x-b": "2", "x-a": "1" } }),
      ],
    },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[1].UpstreamPathTemplate (route-repeated)",
      '  Routes[1] repeats Routes[0]: the same template "/orders/{id}", host and header templates, and one of them takes every method; remove one, or part their methods',
    ],
  },
  {
    reason: "a key that repeats",
    input: { Routes: [route({ Key: "a" }), route({ Key: "a", UpstreamPathTemplate: "/other/{id}" })] },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[1].Key (route-key-repeated)",
      '  Routes[1] and Routes[0] have the same Key "a": choose another one',
    ],
  },
  {
    reason: "a key that is the index of another route",
    input: { Routes: [route({ Key: 1 }), route({ UpstreamPathTemplate: "/other/{id}" })] },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].Key (route-key-index)",
      '  Key "1" of Routes[0] is the index of another route, which is its name without a Key: choose another one',
    ],
  },
  {
    reason: "routes under the old and the new name",
    input: { Routes: [route()], ReRoutes: [route()] },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "ReRoutes (key-repeated)",
      '  "ReRoutes" is the old name of "Routes", and both are written: keep one',
    ],
  },
  {
    reason: "a route that is no object",
    input: { Routes: [route(), "/orders"] },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[1] (wrong-type)",
      '  expected an object, found "/orders"',
    ],
  },
  {
    reason: "routes that are no list",
    input: { Routes: { first: route() } },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes (wrong-type)",
      "  expected a list of objects, found an object",
    ],
  },
];

describe("A configuration is refused for routes that stand in each other's way", () => {
  test.each(rows)("$reason", ({ input, says }) => {
    expect(refusalOf(input).message.split("\n")).toEqual(says);
  });
});

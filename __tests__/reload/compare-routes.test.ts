import { describe, expect, test } from "@jest/globals";
import { compareRoutes, parseConfig } from "../../src/index.ts";
import { routeTo } from "./scene.ts";

type Row = Readonly<{
  reason: string;
  before: readonly object[];
  after: readonly object[];
  global?: readonly [object, object];
  changes: Partial<ReturnType<typeof compareRoutes>>;
}>;

const a = routeTo(1, "/a");
const b = routeTo(1, "/b");
const service = { UpstreamPathTemplate: "/s", DownstreamPathTemplate: "/", ServiceName: "App/Service" };
const provider = { ServiceDiscoveryProvider: { Type: "ServiceCluster" } };
const otherProvider = { ServiceDiscoveryProvider: { Type: "ServiceCluster", Port: 19082 } };

const rows: readonly Row[] = [
  { reason: "nothing has changed", before: [a, b], after: [a, b], changes: {} },
  { reason: "another order is no change", before: [a, b], after: [b, a], changes: {} },
  {
    reason: "another order of keys is no change",
    before: [a],
    after: [Object.fromEntries(Object.entries(a).reverse())],
    changes: {},
  },
  {
    reason: "a route without Key is known by its template",
    before: [a],
    after: [b],
    changes: { added: ["/b"], removed: ["/a"] },
  },
  {
    reason: "one with Key by that, whatever its template",
    before: [{ ...a, Key: "first" }],
    after: [{ ...b, Key: "first" }],
    changes: { changed: ["first"] },
  },
  {
    reason: "methods, host and headers tell routes apart",
    before: [],
    after: [
      { ...a, UpstreamHttpMethod: ["post", "GET"], UpstreamHost: "Shop.example" },
      { ...a, UpstreamHeaderTemplates: { "X-Tenant": "acme" } },
    ],
    changes: { added: ["GET,POST shop.example/a", "/a [x-tenant: acme]"] },
  },
  { reason: "a key of the route", before: [a], after: [{ ...a, Timeout: 3 }], changes: { changed: ["/a"] } },
  {
    reason: "a key like a template is another route",
    before: [a],
    after: [{ ...b, Key: "/a" }],
    changes: { added: ["/a"], removed: ["/a"] },
  },
  {
    reason: "a global setting reaches routes without their own",
    before: [a, { ...b, Timeout: 3 }],
    after: [a, { ...b, Timeout: 3 }],
    global: [{}, { Timeout: 7 }],
    changes: { changed: ["/a"] },
  },
  {
    reason: "the provider reaches routes with a service name",
    before: [a, service],
    after: [a, service],
    global: [provider, otherProvider],
    changes: { changed: ["/s"] },
  },
  {
    reason: "global metadata reaches every route",
    before: [a],
    after: [a],
    global: [{}, { Metadata: { team: "blue" } }],
    changes: { changed: ["/a"] },
  },
  {
    reason: "the gateway's own address and its own limit reach none",
    before: [a],
    after: [a],
    global: [{}, { BaseUrl: "https://api.example", Limits: { Concurrent: 5 } }],
    changes: {},
  },
];

describe("compareRoutes", () => {
  test.each(rows)("$reason", ({ before, after, global: [earlier, later] = [{}, {}], changes }) => {
    const parse = (routes: readonly object[], global: object): ReturnType<typeof parseConfig> =>
      parseConfig({ Routes: routes, GlobalConfiguration: global }, { logger: false });
    const expected = { added: [], removed: [], changed: [], ...changes };
    expect(compareRoutes(parse(before, earlier), parse(after, later))).toEqual(expected);
  });
});

import { describe, expect, test } from "@jest/globals";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { maskByConfig } from "../../src/explain/mask-by-config.ts";
import { printExplanation } from "../../src/explain/print-explanation.ts";
import { parseConfig } from "../../src/index.ts";

const secret = "s3cr3t-value";

const config = parseConfig(
  {
    Routes: [
      {
        Key: "first",
        UpstreamPathTemplate: `/first?kind=${secret}`,
        UpstreamHeaderTemplates: { "X-Team": `${secret}-{team}` },
        DownstreamPathTemplate: "/",
        ServiceName: "App/{team}",
      },
      {
        Key: "third",
        UpstreamPathTemplate: "/third",
        UpstreamHeaderTemplates: { "X-Team": secret },
        DownstreamPathTemplate: "/",
        ServiceName: "App/Third",
      },
      {
        Key: "second",
        UpstreamPathTemplate: "/second/{password}",
        DownstreamPathTemplate: `/{password}?api=${secret}`,
        ServiceName: "App/Second",
        RequestIdKey: "X-Id",
        Metadata: { "client.secret": secret, "bell\u0007": "\u001b[31mred\u202e" },
      },
    ],
    GlobalConfiguration: {
      ServiceDiscoveryProvider: { Type: "ServiceCluster" },
      Metadata: { "api-token": secret, "client.secret": secret },
    },
  },
  { logger: false },
);

const asked: [reason: string, path: string, headers: Record<string, string>][] = [
  ["metadata, literal values of templates and values of placeholders", `/second/${secret}`, {}],
  ["a placeholder that is refused", `/second/${secret}%2F..`, {}],
  ["headers", "/second/1", { Authorization: secret, Cookie: secret, "X-Api-Key": secret, "X-Auth-Token": secret }],
  ["parameters of the client", `/second/1?access_token=${secret}&sig=${secret}&Code=${secret}`, {}],
  ["a query that does not fit a literal", "/first?kind=other", {}],
  ["a header that does not fit a literal", "/third", { "X-Team": "other" }],
  ["what a literal of a query takes", `/first?kind=${secret}`, { "X-Team": `${secret}-1` }],
];

describe("no secret is shown of", () => {
  test.each(asked)("%s", (_reason, path, headers) => {
    const masked = maskByConfig(config, explainRequest(config, { method: "GET", path, headers }));
    // Of a header without a telling name nobody knows that its value is a secret.
    const told = {
      ...masked,
      forwarded: { ...masked.forwarded, headers: { ...masked.forwarded?.headers, "x-team": "" } },
    };
    expect(JSON.stringify(told)).not.toContain(secret);
  });
});

test("as text, an explanation tells everything, and a terminal obeys none of it", () => {
  const explanation = explainRequest(config, { method: "GET", path: "/second/a%20b?x=1", host: "shop.test" });
  expect(printExplanation(maskByConfig(config, explanation))).toBe(`GET /second/***?x=1 (host shop.test)
Route "second" sends it to http://localhost:19081/App/Second/***?api=***&x=1

Routes, in the order in which they are tried:
  ✗ first   /first?kind=***: path: segment 1 is "second", the template has "first"
  ✗ third   /third: path: segment 1 is "second", the template has "third"
  ✓ second  /second/{password}: it is the first that fits

Placeholders:
  {password} = "***", from the path

Who may come in:
  anybody

What else holds:
  found by: the naming service at http://localhost:19081, asked with each request

Sent upstream, unless middleware or a handler changes it:
  GET http://localhost:19081/App/Second/***?api=***&x=1
  host: localhost:19081
  x-id: <a new UUID>
  x-forwarded-for: <address of the client>
  x-forwarded-proto: http
  x-forwarded-host: shop.test

Metadata:
  "api-token" = "***", from GlobalConfiguration
  "client.secret" = "***", from the route, instead of "***" of GlobalConfiguration
  "bell\\u0007" = "\\u001b[31mred\\u202e", from the route
`);
});

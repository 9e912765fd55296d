import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { parseConfig } from "../../src/index.ts";
import { isLong } from "../fuzz/bounds.ts";
import { type PlainRoute, scanRoutes } from "../routing/linear-scan.ts";

const segment = fc.constantFrom("a", "B", "a%41", "{x}", "i-{x}", "{x}-{y}", "caf é");
const path = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .chain((segments) => fc.constantFrom(`/${segments.join("/")}`, `/${segments.join("/")}/`));
// A placeholder may stand once only.
const numbered = path.map((text) => {
  let count = 0;
  return text.replaceAll(/\{\w\}/g, () => `{p${(count += 1)}}`);
});

const plainRoute: fc.Arbitrary<PlainRoute> = fc.record(
  {
    path: numbered,
    query: fc.constantFrom("k=v", "k={q}", "{rest}", undefined),
    headers: fc.constantFrom({ "X-Team": "blue" }, { "X-Team": "t-{team}" }, undefined),
    methods: fc.constantFrom(["Get"], ["POST", "get"], [], undefined),
    host: fc.constantFrom("shop.test", "shop.test:81", undefined),
    caseSensitive: fc.boolean(),
    priority: fc.constantFrom(0, 1, 2),
  },
  { requiredKeys: ["path"] },
);

const asked = fc.record({
  method: fc.constantFrom("GET", "POST", "TRACE"),
  path: fc
    .array(fc.constantFrom("a", "b", "A", "aA", "i-1", "1-2", "", "caf%20%C3%A9", "x%2Fy"), { maxLength: 4 })
    .map((segments) => `/${segments.join("/")}`),
  query: fc.constantFrom(undefined, "", "k=v", "k=V&z", "q=1"),
  host: fc.constantFrom("shop.test", "shop.test:81", "SHOP.test:9", "localhost"),
  team: fc.constantFrom(undefined, "blue", "t-1", "t-"),
});

function toConfig(routes: readonly PlainRoute[]): unknown {
  return {
    Routes: routes.map(({ path: template, query, headers, methods, host, caseSensitive, priority }) => ({
      UpstreamPathTemplate: query === undefined ? template : `${template}?${query}`,
      UpstreamHttpMethod: methods,
      UpstreamHost: host,
      UpstreamHeaderTemplates: headers,
      RouteIsCaseSensitive: caseSensitive,
      Priority: priority,
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "localhost", Port: 1 }],
    })),
  };
}

describe("an explanation of any request by any routes", () => {
  test("finds the route and values that regular expressions find, and gives each other route a reason", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(plainRoute, { selector: ({ path: text }) => text, maxLength: 6 }),
        asked,
        (routes, ask) => {
          const { method, host, query, team } = ask;
          const headers = team === undefined ? {} : { "X-Team": team };
          const url = query === undefined ? ask.path : `${ask.path}?${query}`;
          const config = parseConfig(toConfig(routes), { logger: false });
          const explanation = explainRequest(config, { method, path: url, host, headers });
          const found = scanRoutes(routes, {
            method,
            path: ask.path,
            query,
            host,
            headers: team === undefined ? {} : { "x-team": team },
          });
          expect(explanation.route).toBe(found === undefined ? undefined : String(found.route));
          const values = Object.fromEntries(explanation.placeholders.map(({ name, value }) => [name, value]));
          expect(values).toEqual(found?.values ?? {});
          expect(explanation.routes.filter(({ reasons }) => reasons.length === 0)).toEqual([]);
          for (const { index, verdict } of explanation.routes) {
            const alone = scanRoutes([routes[index]!], {
              method,
              path: ask.path,
              query,
              host,
              headers: team === undefined ? {} : { "x-team": team },
            });
            expect(verdict === "does-not-match").toBe(alone === undefined);
          }
        },
      ),
      { seed: 20_260_729, numRuns: isLong ? 1_500 : 200 },
    );
  });
});

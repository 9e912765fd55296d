import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { defineRoute } from "../../src/compiling/index-routes.ts";
import { pairTakers } from "../../src/compiling/who-takes-requests-after-reload.ts";
import { nameOfRoute } from "../../src/route-name.ts";
import { type GatewayConfig, parseConfig } from "../../src/index.ts";
import { createRouteIndex, type MatchTarget, type RouteIndex } from "../../src/routing/index/route-index.ts";
import { parseUpstreamTemplate } from "../../src/templates/upstream-template.ts";
import { runAtOnce } from "../../src/time-slices.ts";
import { firstSeed, isEndless, isLong, longest } from "../fuzz/bounds.ts";

const segment = fc.constantFrom("a", "b", "A", "{}", "{}", "x-{}", "{}.js", "x-1", "1.js");
const template = fc
  .tuple(
    fc.array(segment, { maxLength: 3 }),
    fc.constantFrom("", "", "/"),
    fc.constantFrom("", "", "", "?q=1", "?q={}", "?{}"),
  )
  .map(([segments, end, query]) => {
    let count = 0;
    const path = segments.length === 0 ? "/" : `/${segments.join("/")}${end}`;
    return (path + query).replaceAll("{}", () => `{p${(count += 1)}}`);
  });

const written = fc.record(
  {
    UpstreamPathTemplate: template,
    UpstreamHttpMethod: fc.constantFrom(["GET"], ["GET", "DELETE"], ["delete"]),
    UpstreamHost: fc.constantFrom("h.test", "H.test:80"),
    UpstreamHeaderTemplates: fc.constantFrom({ "X-T": "one" }, { "x-t": "two" }, { "X-T": "o{h}" }),
    RouteIsCaseSensitive: fc.boolean(),
    Priority: fc.constantFrom(0, 1, 5),
  },
  { requiredKeys: ["UpstreamPathTemplate"] },
);

const requested: fc.Arbitrary<MatchTarget> = fc.record({
  method: fc.constantFrom("GET", "DELETE", "POST"),
  path: fc
    .tuple(
      fc.array(fc.constantFrom("a", "b", "A", "x-1", "x-2", "1.js", "c"), { maxLength: 4 }),
      fc.constantFrom("", "/"),
    )
    .map(([segments, end]) => (segments.length === 0 ? "/" : `/${segments.join("/")}${end}`)),
  query: fc.constantFrom(undefined, "q=1", "q=2", "z"),
  host: fc.constantFrom("h.test", "h.test:80", "other"),
  headers: fc.constantFrom({}, { "x-t": "one" }, { "x-t": "two" }),
});

function parse(routes: readonly object[]): GatewayConfig | undefined {
  const hosts = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "a.internal", Port: 1 }] };
  try {
    return parseConfig({ Routes: routes.map((route) => ({ ...route, ...hosts })) }, { logger: false });
  } catch {
    // Routes that are refused, for repeating each other.
    return undefined;
  }
}

function index({ routes }: GatewayConfig): RouteIndex<string> {
  return createRouteIndex(
    routes.map((route) => {
      const { UpstreamPathTemplate: text, UpstreamHeaderTemplates: headers } = route;
      return defineRoute(nameOfRoute(route), parseUpstreamTemplate(text, headers), route);
    }),
  );
}

test(
  "whatever takes a request of another route after a change is found by looking at the routes alone",
  () => {
    const routes = fc.array(written, { minLength: 1, maxLength: 4 });
    let moved = 0;
    fc.assert(
      fc.property(
        fc.tuple(routes, routes, routes),
        fc.array(requested, { minLength: 80, maxLength: 120 }),
        ([gone, kept, added], requests) => {
          const [before, after] = [parse([...gone, ...kept]), parse([...kept, ...added])];
          if (before === undefined || after === undefined) return;
          const pairs = runAtOnce(pairTakers(before, after, () => true));
          const found = new Set(pairs.map(({ one, other }) => `${one.name} > ${other.name}`));
          const [earlier, later] = [index(before), index(after)];
          for (const request of requests) {
            const [one, other] = [earlier.find(request)?.value, later.find(request)?.value];
            if (one === undefined || other === undefined || one === other) continue;
            moved += 1;
            expect(found).toContain(`${one} > ${other}`);
          }
        },
      ),
      { seed: firstSeed, numRuns: isEndless ? 50_000 : isLong ? 1_000 : 250 },
    );
    expect(moved).toBeGreaterThan(100);
  },
  longest,
);

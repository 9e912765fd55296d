import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseConfig } from "../../src/config/parse-config.ts";
import type { RouteConfig } from "../../src/config/sections.ts";
import { createRouteIndex, type RouteIndex } from "../../src/routing/index/route-index.ts";
import { parseUpstreamTemplate } from "../../src/templates/upstream-template.ts";
import { isLong } from "../fuzz/bounds.ts";

// What a warning claims is put to the matcher that requests meet.

type Claim = Readonly<{ code: string; route: number; taker: number; method: string; path: string; message: string }>;

const claimed = ["route-unreachable", "routes-overlap"];

function indexOf(routes: readonly (readonly [number, RouteConfig])[]): RouteIndex<number> {
  return createRouteIndex(
    routes.map(([value, config]) => ({
      value,
      template: parseUpstreamTemplate(config.UpstreamPathTemplate, config.UpstreamHeaderTemplates),
      methods: config.UpstreamHttpMethod,
      host: config.UpstreamHost,
      caseSensitive: config.RouteIsCaseSensitive ?? false,
      priority: config.Priority ?? 1,
    })),
  );
}

function winner(index: RouteIndex<number>, { method, path }: Pick<Claim, "method" | "path">): number | undefined {
  const [pathname, query] = path.split("?");
  return index.find({ method, path: pathname!, query, host: "localhost", headers: {} })?.value;
}

function claimsOf(input: unknown): Readonly<{ claims: Claim[]; routes: readonly RouteConfig[] }> {
  const { routes, warnings } = parseConfig(input, { logger: false, lint: true });
  const claims = warnings
    .filter(({ code }) => claimed.includes(code))
    .map(({ code, message }) => {
      const [route, taker] = [...message.matchAll(/Routes\[(\d+)\]/g)].map(([, index]) => Number(index));
      const [, method, path] = /"([A-Z]+) (\/[^"]*)"/.exec(message)!;
      return { code, route: route!, taker: taker!, method: method!, path: path!, message };
    });
  return { claims, routes };
}

/** The claims that the matcher contradicts: the route alone takes the request, all together give it to the taker. */
function falseClaims(input: unknown): string[] {
  const { claims, routes } = claimsOf(input);
  const all = indexOf([...routes.entries()]);
  return claims
    .filter((claim) => {
      const alone = indexOf([[claim.route, routes[claim.route]!]]);
      if (winner(alone, claim) !== claim.route) return true;
      const actual = winner(all, claim);
      // Several routes may come before one that is never reached; one of them is named.
      return claim.code === "routes-overlap" ? actual !== claim.taker : actual === claim.route || actual === undefined;
    })
    .map(({ message }) => message);
}

/** The claims after which the proposed Priority does not help. */
function uselessAdvice(input: Readonly<{ Routes: readonly object[] }>): string[] {
  const { claims } = claimsOf(input);
  return claims
    .filter((claim) => {
      const priority = /"Priority": (\d+)/.exec(claim.message)?.[1];
      if (priority === undefined) return false;
      const mended = input.Routes.map((route, index) => {
        return index === claim.route ? { ...route, Priority: Number(priority) } : route;
      });
      const { routes } = parseConfig({ ...input, Routes: mended }, { logger: false });
      return winner(indexOf([...routes.entries()]), claim) === claim.taker;
    })
    .map(({ message }) => message);
}

const recorded = JSON.parse(
  readFileSync(new URL("../fixtures/vectors/routing.json", import.meta.url), "utf8"),
) as Readonly<{ cases: readonly Readonly<{ config: { Routes: object[] } }>[] }>;

const segment = fc.constantFrom("a", "b", "{}", "{}", "x-{}", "{}-y", "A");
const template = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "", "/"))
  .map(([segments, end]) => `/${segments.map((text, index) => text.replace("{}", `{p${index}}`)).join("/")}${end}`);
const route = fc.record(
  {
    UpstreamPathTemplate: template,
    UpstreamHttpMethod: fc.constantFrom(["GET"], ["POST"], ["GET", "POST"]),
    Priority: fc.constantFrom(0, 1, 2),
    RouteIsCaseSensitive: fc.boolean(),
  },
  { requiredKeys: ["UpstreamPathTemplate"] },
);
const configuration = fc
  .uniqueArray(route, { minLength: 2, maxLength: 6, selector: (it) => it.UpstreamPathTemplate })
  .map((routes) => ({
    Routes: routes.map((it) => ({ ...it, DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "a" }] })),
  }));

describe("What is said of routes that lose requests", () => {
  test("is true of the configurations that were recorded from Ocelot", () => {
    const claims = recorded.cases.flatMap(({ config }) => claimsOf(config).claims);

    expect(claims.length).toBeGreaterThan(40);
    expect(recorded.cases.flatMap(({ config }) => falseClaims(config))).toEqual([]);
  });

  test("is true of any configuration, and the Priority it names helps", () => {
    fc.assert(
      fc.property(configuration, (input) => {
        expect(falseClaims(input)).toEqual([]);
        expect(uselessAdvice(input)).toEqual([]);
      }),
      { seed: 20_261_121, numRuns: isLong ? 400 : 80 },
    );
  });

  test("leaves nothing out where segments are either literal or placeholders", () => {
    const plain = configuration.filter(({ Routes }) => {
      return Routes.every((it) => !it.UpstreamPathTemplate.includes("-") && it.RouteIsCaseSensitive !== true);
    });
    fc.assert(
      fc.property(plain, (input) => {
        const told = new Set(claimsOf(input).claims.map((claim) => claim.route));
        const { routes } = parseConfig(input, { logger: false });

        expect([...losers(routes)].filter((loser) => !told.has(loser))).toEqual([]);
      }),
      { seed: 20_261_122, numRuns: isLong ? 300 : 60 },
    );
  });
});

describe("What is said of routes that lead round another one", () => {
  /** Each to its own path, or below a prefix; an open one perhaps to everything. */
  const leading = fc.tuple(route, fc.constantFrom("", "/v", "open"), fc.boolean()).map(([it, prefix, isGuarded]) => {
    const open = /\{(\w+)\}$/.exec(it.UpstreamPathTemplate)?.[0];
    const isOpen = prefix === "open" && open !== undefined;
    return {
      ...it,
      DownstreamPathTemplate: isOpen ? `/${open}` : `${prefix.replace("open", "")}${it.UpstreamPathTemplate}`,
      DownstreamHostAndPorts: [{ Host: "a" }],
      Metadata: isGuarded ? { roles: "admin" } : {},
    };
  });
  const input = fc
    .uniqueArray(leading, { minLength: 2, maxLength: 6, selector: (it) => it.UpstreamPathTemplate })
    .map((routes) => ({ Routes: routes }));

  test("is true of any configuration", () => {
    let told = 0;
    fc.assert(
      fc.property(input, (configuration) => {
        const { routes, warnings } = parseConfig(configuration, { logger: false, lint: true });
        const all = indexOf([...routes.entries()]);
        for (const { message } of warnings.filter(({ code }) => code === "lock-bypassed")) {
          told += 1;
          const [own, other] = [...message.matchAll(/Routes\[(\d+)\]/g)].map(([, index]) => Number(index));
          const [, method, path] = /"([A-Z]+) (\/[^"]*)"/.exec(message)!;
          const match = all.find({ method: method!, path: path!, query: undefined, host: "localhost", headers: {} });

          expect([match?.value, routes[own!]!.Metadata]).toEqual([own, undefined]);
          const [reached, guarded] = [own!, other!].map((index) => routes[index]!.DownstreamPathTemplate);
          const sent = reached!.replace(/\{(\w+)\}/g, (_, name: string) => match!.placeholders[name]!);
          expect(sent).toBe(guarded!.replace(/\{\w+\}/g, "1"));
        }
      }),
      { seed: 20_261_123, numRuns: 400 },
    );
    expect(told).toBeGreaterThan(20);
  });
});

const paths = ["a", "b", "c"].reduce<string[]>(
  (all) => [...all, ...all.flatMap((path) => ["/a", "/b", "/c"].map((more) => path + more))],
  [""],
);

/** The routes that lose one of many requests to a less particular one of the same priority. */
function losers(routes: readonly RouteConfig[]): Set<number> {
  const all = indexOf([...routes.entries()]);
  const lost = new Set<number>();
  for (const [own, config] of routes.entries()) {
    const alone = indexOf([[own, config]]);
    for (const method of ["GET", "POST"]) {
      for (const path of paths.filter((it) => it !== "")) {
        if (winner(alone, { method, path }) === undefined) continue;
        const other = routes[winner(all, { method, path })!]!;
        if (other === config || priorityOf(other) !== priorityOf(config)) continue;
        if (kindsOf(config) < kindsOf(other)) lost.add(own);
      }
    }
  }
  return lost;
}

function priorityOf({ UpstreamPathTemplate: text, Priority = 1 }: RouteConfig): number {
  return /^\/\{\w+\}$/.test(text) ? 0 : Priority;
}

/** One letter for each segment, so that what sorts first is the more particular. */
function kindsOf({ UpstreamPathTemplate: text }: RouteConfig): string {
  return text
    .replace(/\{\w+\}$/, "open")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => (part === "open" ? "z" : part.startsWith("{") ? "p" : "l"))
    .join("");
}

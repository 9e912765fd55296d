import { describe, expect, test } from "@jest/globals";
import { findMeantLock } from "../../src/config/ocelot/misspelt-locks.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { ConfigError } from "../../src/errors.ts";
import { sampled } from "../fuzz/bounds.ts";
import { route } from "./configurations.ts";
import { editsOf, kept } from "./edits.ts";

type Level = "route" | "dynamic route" | "global";
type Lock = Readonly<{ name: string; value: Readonly<Record<string, unknown>>; levels: readonly Level[] }>;

const everywhere: readonly Level[] = ["route", "dynamic route", "global"];
const onRoutes: readonly Level[] = ["route", "dynamic route"];

const locks: readonly Lock[] = [
  { name: "AuthenticationOptions", value: { AuthenticationProviderKey: "Key" }, levels: everywhere },
  { name: "AuthenticationOptions", value: { AuthenticationProviderKeys: ["A", "B"] }, levels: everywhere },
  {
    name: "AuthenticationOptions",
    value: { AuthenticationProviderKey: "Key", AllowedScopes: ["a"] },
    levels: everywhere,
  },
  { name: "RateLimitOptions", value: { EnableRateLimiting: true, Period: "1s", Limit: 1 }, levels: everywhere },
  {
    name: "RateLimitOptions",
    value: { Period: "1s", Limit: 1, ClientWhitelist: ["a"], Wait: "1s" },
    levels: everywhere,
  },
  {
    name: "RateLimitOptions",
    value: { Limit: 1, Period: "1s", PeriodTimespan: 1, ClientIdHeader: "a" },
    levels: everywhere,
  },
  { name: "SecurityOptions", value: { IPAllowedList: ["10.0.0.1"] }, levels: everywhere },
  {
    name: "SecurityOptions",
    value: { IPBlockedList: ["10.0.0.1"], ExcludeAllowedFromBlocked: true },
    levels: everywhere,
  },
  { name: "RouteClaimsRequirement", value: { role: "admin" }, levels: onRoutes },
  { name: "AddHeadersToRequest", value: { a: "Claims[sub] > value" }, levels: onRoutes },
  { name: "AddClaimsToRequest", value: { a: "Claims[sub] > value" }, levels: onRoutes },
  { name: "AddQueriesToRequest", value: { a: "Claims[sub] > value" }, levels: onRoutes },
  { name: "ChangeDownstreamPathTemplate", value: { a: "Claims[sub] > value" }, levels: onRoutes },
  { name: "DelegatingHandlers", value: { 0: "Handler" }, levels: onRoutes },
];

// Neither has a factor in common with how many edits there are at a letter, so that every kind of edit comes at some.
const eachOf = 11;
const eachOfPairs = 97;

const letters = ["q", "-", "ü"];

function without(name: string, written: Iterable<string>): readonly string[] {
  return [...new Set(written)].filter((text) => text.toLowerCase() !== name.toLowerCase() && !kept.test(text));
}

const provider = { ServiceDiscoveryProvider: { Type: "Consul" } };

function configOf(level: Level, more: Readonly<Record<string, unknown>>): unknown {
  if (level === "route") return { Routes: [route(more)] };
  if (level === "global") return { Routes: [route()], GlobalConfiguration: more };
  return { DynamicRoutes: [{ ServiceName: "orders", ...more }], GlobalConfiguration: provider };
}

function starts(input: unknown): boolean {
  try {
    parseConfig(input, { logger: false });
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

/** Locks that are read as they are written here; claims, for one, need somebody who has them. */
const startingAlone = ["AuthenticationOptions", "SecurityOptions", "RateLimitOptions"];

describe("A misspelling of up to two letters never opens a lock:", () => {
  test.each(locks.flatMap((lock) => lock.levels.map((level) => [lock.name, level, lock] as const)))(
    "the name %s, %s",
    (name, level, { value }) => {
      expect(starts(configOf(level, { [name]: value }))).toBe(startingAlone.includes(name));
      const open = sampled(without(name, editsOf(name, letters)), eachOf).filter((written) =>
        starts(configOf(level, { [written]: value })),
      );
      expect(open).toEqual([]);
    },
  );

  test.each([...new Set(locks.map(({ name }) => name))])("every two slips in the name %s", (name) => {
    // One letter stands for all: what counts is how many are others, not which.
    const twice = sampled([...editsOf(name, ["q"])], eachOf).flatMap((edited) => [...editsOf(edited, ["q"])]);
    expect(without(name, twice).filter((written) => findMeantLock(written) === undefined)).toEqual([]);
  });

  const keys = locks.slice(0, 8).flatMap((lock) => Object.keys(lock.value).map((key) => [lock, key] as const));

  test.each(keys.flatMap(([lock, key]) => lock.levels.map((level) => [lock.name, key, level, lock] as const)))(
    "%s.%s, %s",
    (name, key, level, { value }) => {
      const others = Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
      const twice = [...editsOf(key, ["q"])].flatMap((edited) => [...editsOf(edited, ["q"])]);
      const once = sampled([...editsOf(key, letters)], eachOf);
      const sample = sampled(
        twice.filter((_written, index) => index % eachOfPairs === 0),
        eachOf,
      );
      const open = without(key, [...once, ...sample]).filter((written) => {
        return starts(configOf(level, { [name]: { ...others, [written]: value[key] } }));
      });
      expect(open).toEqual([]);
    },
  );

  test.each(["AuthenticationOptions", "RateLimitOptions", "SecurityOptions", "RouteClaimsRequirement"])(
    "%s in places where nobody reads it",
    (name) => {
      const lock = locks.find((candidate) => candidate.name === name)!;
      const places = (written: string): readonly unknown[] => [
        { Routes: [route()], [written]: lock.value },
        { Routes: [route({ QoSOptions: { [written]: lock.value } })] },
        { Routes: [route({ LoadBalancerOptions: { [written]: lock.value } })] },
        { Routes: [route({ DownstreamHostAndPorts: [{ Host: "a", [written]: lock.value }] })] },
        { Routes: [route()], GlobalConfigration: { [written]: lock.value } },
        { Routes: [route({ Anything: [{ deep: { [written]: lock.value } }] })] },
      ];
      const open = [name, ...sampled([...editsOf(name, ["q"])], eachOf)].filter((written) =>
        places(written).some(starts),
      );
      expect(open).toEqual([]);
    },
  );
});

describe("The keys of a lock are no less a lock in an object that nobody reads:", () => {
  test.each(
    locks.slice(0, 8).flatMap(({ name, value }) =>
      Object.keys(value)
        .filter((key) => !["Limit", "Period", "Wait", "ClientIdHeader"].includes(key))
        .map((key) => [name, key, value[key]] as const),
    ),
  )("%s.%s", (_name, key, value) => {
    const written = { [key]: value };
    const places: readonly unknown[] = [
      { Routes: [route({ QoSOptions: written })] },
      { Routes: [route({ HttpHandlerOptions: written })] },
      { Routes: [route({ Anything: { deep: [written] } })] },
      { Routes: [route()], GlobalConfiguration: { CacheOptions: written } },
      { Routes: [route()], SwaggerEndPoints: [written] },
    ];
    expect(places.filter(starts)).toEqual([]);
  });

  test("words that other programs use mean theirs", () => {
    expect(starts({ Routes: [route()], Serilog: { WriteTo: [{ Args: { period: "1s", limit: 5 } }] } })).toBe(true);
  });
});

describe("A key of a lock under another name opens no route:", () => {
  const addresses = ["IPAllowed", "AllowedIPs", "IPWhitelist", "ipWhiteList", "IPBlocked", "BlockedIPs", "IPBlacklist"];
  const names = ["ProviderKey", "ProviderKeys", "Scopes", "RequiredScopes", ...addresses];
  const claims = ["RequiredClaims", "ClaimsRequirement", "ClaimRequirements"];

  test.each([...names, ...claims])("%s", (name) => {
    for (const level of everywhere) expect(starts(configOf(level, { [name]: ["10.0.0.1"] }))).toBe(false);
    expect(starts({ Routes: [route()], Serilog: { [name]: ["10.0.0.1"] } })).toBe(true);
    expect(starts({ Routes: [route({ Metadata: { [name]: "10.0.0.1" } })] })).toBe(true);
    expect(starts({ Routes: [route({ [name]: [] })] })).toBe(true);
  });
});

describe("A key that begins as a lock does, or with one, opens no route:", () => {
  const [longer, shorter] = [
    ["AddQueriesToRequestQueryString", "RateLimitOptionsOfClients"],
    ["Security", "AddHeaders"],
  ];

  test.each(["Authentication", "RateLimit", "DelegatingHandler", "ChangeDownstreamPath", ...longer, ...shorter])(
    "%s",
    (name) => {
      for (const value of [true, "a", 5, ["a"], { a: "b" }]) {
        for (const level of onRoutes) expect(starts(configOf(level, { [name]: value }))).toBe(false);
      }
      for (const value of [{}, [], null, ""]) expect(starts({ Routes: [route({ [name]: value })] })).toBe(true);
      expect(starts({ Routes: [route({ [`x-${name}`]: true })] })).toBe(true);
    },
  );

  test("where no such lock may stand, such a name is another's", () => {
    const host = { Host: "a", AddQueriesToRequestQueryString: true };
    expect(starts({ Routes: [route({ DownstreamHostAndPorts: [host] })] })).toBe(true);
  });
});

describe("A word for a lock opens no route that has it:", () => {
  const words = ["Authorization", "Authorize", "AuthenticationSchemes", "AuthOptions", "Scope", "Claims", "Roles"];

  test.each([...words, "RequireAuthentication", "AuthorizationPolicy", "RequiredRoles"])("%s", (name) => {
    for (const level of everywhere) expect(starts(configOf(level, { [name]: ["admin"] }))).toBe(false);
    expect(starts({ Routes: [route()], [name]: { Schemes: ["admin"] } })).toBe(true);
    expect(starts({ Routes: [route()], Serilog: { [name]: ["admin"] } })).toBe(true);
    expect(starts({ Routes: [route({ [name]: [] })] })).toBe(true);
  });
});

describe("A key of this gateway's own by which clients are refused is a lock, too:", () => {
  const origins = ["https://app.example.org"];
  const providerOf = (more: object) => ({
    GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "ServiceCluster", Host: "a", Port: 1, ...more } },
  });
  const places: readonly (readonly [string, string, (written: string) => unknown])[] = [
    ["AllowedOrigins", "route", (written) => configOf("route", { [written]: origins })],
    ["AllowedOrigins", "global", (written) => configOf("global", { [written]: origins })],
    ["ClientParameters", "route", (written) => configOf("route", { [written]: ["Timeout"] })],
    ["ClientParameters", "provider", (written) => ({ Routes: [route()], ...providerOf({ [written]: ["Timeout"] }) })],
  ];

  test.each(places)("%s, %s", (name, _place, input) => {
    expect(starts(input(name))).toBe(true);
    const once = sampled(without(name, editsOf(name, letters)), eachOf);
    expect(once.filter((written) => starts(input(written)))).toEqual([]);
  });

  test("the words of other programs mean theirs", () => {
    expect(starts({ Routes: [route()], Cors: { AllowedOrigins: origins } })).toBe(true);
    expect(starts({ Routes: [route()], AllowedOrigins: origins })).toBe(true);
    expect(starts({ Routes: [route({ CorsOptions: { AllowedOrigin: origins } })] })).toBe(true);
  });
});

test("What is kept out of the way on purpose stays out of it", () => {
  expect(starts({ Routes: [route({ "x-AuthenticationOptions": { AuthenticationProviderKey: "Key" } })] })).toBe(true);
});

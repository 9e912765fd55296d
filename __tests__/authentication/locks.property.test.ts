import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Authenticator, ConfigError, createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { firstSeed, isLong } from "../fuzz/bounds.ts";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());

type Options = Readonly<{
  AuthenticationProviderKey?: string | null | undefined;
  AuthenticationProviderKeys?: readonly string[] | undefined;
  AllowedScopes?: readonly string[] | undefined;
  AllowAnonymous?: boolean | string | null | undefined;
  RouteKeys?: readonly string[] | undefined;
}>;

type WrittenRoute = Readonly<{
  Key: string;
  AuthenticationOptions?: Options | null | undefined;
  RouteClaimsRequirement?: object | undefined;
  AddHeadersToRequest?: object | undefined;
  AddQueriesToRequest?: object | undefined;
}>;

type Written = Readonly<{ routes: readonly WrittenRoute[]; global: Options | undefined }>;

/** Any value, or that the key is not written at all. */
function maybe<Value>(...values: readonly Value[]): fc.Arbitrary<Value | undefined> {
  return fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
}

const options: fc.Arbitrary<Options> = fc.record(
  {
    AuthenticationProviderKey: fc.constantFrom("One", "", null),
    AuthenticationProviderKeys: fc.constantFrom(["Two"], ["One", "Two"], []),
    AllowedScopes: fc.constantFrom(["read"], []),
    AllowAnonymous: fc.constantFrom(true, false, "true", "False", null),
  },
  { requiredKeys: [] },
);

const written: fc.Arbitrary<Written> = fc
  .tuple(
    fc.array(
      fc.record({
        AuthenticationOptions: fc.option(options, { nil: undefined, freq: 2 }),
        RouteClaimsRequirement: maybe({ role: "admin" }, {}),
        AddHeadersToRequest: maybe({ "X-User": "Claims[sub] > value" }, { "X-User": "fixed" }, {}),
        AddQueriesToRequest: maybe({ user: "Claims[sub] > value" }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    fc.option(fc.tuple(options, maybe<readonly string[]>(["r0"], [])), { nil: undefined }),
  )
  .map(([routes, shared]) => ({
    routes: routes.map((route, index) => ({ ...present(route), Key: `r${index}` })),
    global: shared && present({ ...shared[0], RouteKeys: shared[1] }),
  }));

function present<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}

/** Who may come in without an identity, as one would say it: written apart from the gateway, to be compared with it. */
function isOpen(route: WrittenRoute, global: Options = {}): boolean {
  const own = route.AuthenticationOptions ?? {};
  const reaches = (global.RouteKeys ?? []).length === 0 || global.RouteKeys!.includes(route.Key);
  const shared = reaches ? global : {};
  const readsClaims =
    Object.keys(route.RouteClaimsRequirement ?? {}).length > 0 ||
    JSON.stringify([route.AddHeadersToRequest, route.AddQueriesToRequest]).includes("Claims[");
  const locksItself = namesScheme(own) || (own.AllowedScopes ?? []).length > 0 || readsClaims;
  if (!namesScheme(own) && !namesScheme(shared)) return !locksItself;
  if (isTrue(own.AllowAnonymous)) return !locksItself;
  return isUnset(own.AllowAnonymous) && isTrue(shared.AllowAnonymous) && !locksItself;
}

function namesScheme({
  AuthenticationProviderKey: single,
  AuthenticationProviderKeys: several = [],
}: Options): boolean {
  return several.length > 0 || (single ?? "") !== "";
}

function isTrue(value: Options["AllowAnonymous"]): boolean {
  return String(value).toLowerCase() === "true";
}

function isUnset(value: Options["AllowAnonymous"]): boolean {
  return value === undefined || value === null;
}

const nobody: Authenticator = () => undefined;

async function statusesOf({ routes, global }: Written): Promise<readonly number[] | undefined> {
  const Routes = routes.map((route) => ({
    UpstreamPathTemplate: `/${route.Key}`,
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    ...route,
  }));
  const config = parsed({ Routes, ...(global && { GlobalConfiguration: { AuthenticationOptions: global } }) });
  if (config === undefined) return undefined;
  const gateway = createGateway(config, { logger: false, authentication: { One: nobody, Two: nobody } });
  const { port, close } = await serve(gateway, gateway);
  try {
    const asked = routes.map(({ Key }) => request({ port, path: `/${Key}`, headers: { "x-user": "root" } }));
    return (await Promise.all(asked)).map(({ status }) => status);
  } finally {
    await close();
  }
}

function parsed(config: object): ReturnType<typeof parseConfig> | undefined {
  try {
    return parseConfig(config, { logger: false });
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

test("whatever combination of locks is written, nobody comes in where one of them holds", async () => {
  let started = 0;
  let open = 0;
  await fc.assert(
    fc.asyncProperty(written, async (configuration) => {
      const statuses = await statusesOf(configuration);
      if (statuses === undefined) return;
      const expected = configuration.routes.map((route) => (isOpen(route, configuration.global) ? 200 : 401));
      started += 1;
      open += expected.filter((status) => status === 200).length;
      expect(statuses).toEqual(expected);
    }),
    { seed: firstSeed, numRuns: isLong ? 400 : 100 },
  );
  // Neither all of them are refused at start, nor is everything locked.
  expect([started > 30, open > 5]).toEqual([true, true]);
});

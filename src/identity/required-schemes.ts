import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { reachesRoute } from "../schema/effective-section.ts";

/** Which schemes must recognise the clients of a route, and which scopes they need. */
type Requirement = Readonly<{ schemes: readonly string[]; scopes: readonly string[] }>;

type Options = NonNullable<RouteConfig["AuthenticationOptions"]>;

const noOptions: Options = {};
const nobody: readonly string[] = [];

/** Of a route, what decides who may come in. */
export type LockedRoute = Readonly<
  Partial<Pick<RouteConfig, "Key" | "AuthenticationOptions"> & Record<(typeof demandsOnIdentity)[number], unknown>>
>;

/** Keys of a route that ask for an identity, whatever `AuthenticationOptions` says. */
export const demandsOnIdentity = [
  "RouteClaimsRequirement",
  "AddHeadersToRequest",
  "AddClaimsToRequest",
  "AddQueriesToRequest",
  "ChangeDownstreamPathTemplate",
] as const;

/** What a route asks of its clients; undefined where it stands open. */
export function requirementOf(
  route: LockedRoute,
  global: Pick<GlobalConfig, "AuthenticationOptions">,
): Requirement | undefined {
  const own = route.AuthenticationOptions ?? noOptions;
  const shared = sharedOptions(route, global);
  const schemes = schemesOf(own).length > 0 ? schemesOf(own) : schemesOf(shared);
  if (schemes.length === 0 || isAnonymous(route, shared)) return undefined;
  const { AllowedScopes: ownScopes = [] } = own;
  return { schemes, scopes: ownScopes.length > 0 ? ownScopes : (shared.AllowedScopes ?? []) };
}

/** The global options, where they hold for a route. */
export function sharedOptions(
  { Key }: LockedRoute,
  { AuthenticationOptions: options }: Pick<GlobalConfig, "AuthenticationOptions">,
): Options {
  return options !== undefined && reachesRoute(options, Key) ? options : noOptions;
}

/** The names of the schemes that a section asks for, in order, each once. */
export function schemesOf({
  AuthenticationProviderKey: first,
  AuthenticationProviderKeys: others = nobody,
}: Options): readonly string[] {
  const names = first === undefined ? others : [first, ...others];
  return names.length <= 1 ? names : [...new Set(names)];
}

/** A global section opens no route that asks for an identity itself. */
function isAnonymous(route: LockedRoute, shared: Options): boolean {
  const { AllowAnonymous } = route.AuthenticationOptions ?? {};
  if (AllowAnonymous !== undefined) return AllowAnonymous;
  return shared.AllowAnonymous === true && findDemand(route) === undefined;
}

const demandingOptions = ["AllowedScopes", "AuthenticationProviderKey", "AuthenticationProviderKeys"] as const;

/** The key by which a route itself names a scheme or scopes, or reads claims; undefined where it asks for nobody. */
export function findDemand(route: LockedRoute): string | undefined {
  const { AuthenticationOptions: own = {} } = route;
  return demandingOptions.find((key) => own[key] !== undefined && own[key].length > 0) ?? findClaimDemand(route);
}

/** The key by which a route reads claims. */
export function findClaimDemand(route: LockedRoute): string | undefined {
  return demandsOnIdentity.find((key) => Object.keys(route[key] ?? noOptions).length > 0);
}

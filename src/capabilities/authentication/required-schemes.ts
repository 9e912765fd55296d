import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { reachesRoute } from "../../schema/effective-section.ts";

/** Which schemes must recognise the clients of a route, and which scopes they need. */
export type Requirement = Readonly<{ schemes: readonly string[]; scopes: readonly string[] }>;

type Options = NonNullable<RouteConfig["AuthenticationOptions"]>;

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
  const own = route.AuthenticationOptions ?? {};
  const shared = sharedOptions(route, global);
  const schemes = schemesOf(own).length > 0 ? schemesOf(own) : schemesOf(shared);
  if (schemes.length === 0 || isAnonymous(route, shared)) return undefined;
  return { schemes, scopes: scopesOf(own).length > 0 ? scopesOf(own) : scopesOf(shared) };
}

/** The global options, where they hold for a route. */
export function sharedOptions(
  { Key }: LockedRoute,
  { AuthenticationOptions: options }: Pick<GlobalConfig, "AuthenticationOptions">,
): Options {
  return options !== undefined && reachesRoute(options, Key) ? options : {};
}

/** The names of the schemes that a section asks for, in order, each once. */
export function schemesOf({
  AuthenticationProviderKey: first,
  AuthenticationProviderKeys: others = [],
}: Options): readonly string[] {
  return [...new Set(first === undefined ? others : [first, ...others])];
}

function scopesOf({ AllowedScopes = [] }: Options): readonly string[] {
  return AllowedScopes;
}

/** A global section opens no route that asks for an identity itself. */
function isAnonymous(route: LockedRoute, shared: Options): boolean {
  const { AllowAnonymous } = route.AuthenticationOptions ?? {};
  if (AllowAnonymous !== undefined) return AllowAnonymous;
  return shared.AllowAnonymous === true && !demandsIdentity(route);
}

/** Whether a route itself names a scheme, scopes, or anything that reads claims. */
export function demandsIdentity(route: LockedRoute): boolean {
  const own = route.AuthenticationOptions ?? {};
  if (schemesOf(own).length > 0 || scopesOf(own).length > 0) return true;
  return demandsOnIdentity.some((key) => Object.keys(route[key] ?? {}).length > 0);
}

/** Where a lock may stand. */
export type LockLevel = "route" | "global" | "root";

/** Of a lock that this gateway does not enforce: what is lost without it, and how, and by which lock, to do it here. */
export type Missing = Readonly<{ loss: string; instead: string; today: string }>;

/** Something that guards a route in Ocelot, and where it may stand. What the gateway enforces has nothing missing. */
type Lock = Readonly<{ levels: readonly LockLevel[]; missing?: Missing }>;

const everywhere: readonly LockLevel[] = ["route", "global"];
const routesOnly: readonly LockLevel[] = ["route"];

/**
 * Keys that guard a route or all routes; one that is switched on and that nothing fulfils stops the start. The names of those
 * that are enforced tell what a misspelt key may mean.
 */
export const locks: Readonly<Record<string, Lock>> = {
  AuthenticationOptions: { levels: everywhere },
  RouteClaimsRequirement: { levels: routesOnly },
  SecurityOptions: { levels: everywhere },
  RateLimitOptions: { levels: everywhere },
  RateLimiting: {
    levels: everywhere,
    missing: {
      loss: "clients could send as much as they like",
      instead: 'write "RateLimitOptions": { "Limit": …, "Period": … }',
      today: "RateLimitOptions",
    },
  },
  AddHeadersToRequest: { levels: routesOnly },
  AddClaimsToRequest: { levels: routesOnly },
  AddQueriesToRequest: { levels: routesOnly },
  ChangeDownstreamPathTemplate: { levels: routesOnly },
  DelegatingHandlers: { levels: routesOnly },
};

/** Keys that Ocelot does not have and by which clients are refused, too: one that is misspelt where it may stand stops the start. */
export const ownLocks: ReadonlySet<string> = new Set(["AuthenticationSchemes", "AllowedOrigins", "ClientParameters"]);

/** The keys that tell a lock also where they stand outside of its section. */
export const tellingKeys: Readonly<Record<string, readonly string[]>> = {
  AuthenticationOptions: [
    ...["AuthenticationProviderKey", "AuthenticationProviderKeys", "AllowedScopes", "AllowAnonymous"],
  ],
  RateLimitOptions: ["EnableRateLimiting", "Limit", "Period", "PeriodTimespan", "ClientWhitelist"],
  SecurityOptions: ["IPAllowedList", "IPBlockedList", "ExcludeAllowedFromBlocked"],
};

/** What people write for a key of a lock who remember it by another name. */
export const mistakenKeys: Readonly<Record<string, readonly string[]>> = {
  AuthenticationProviderKey: ["ProviderKey"],
  AuthenticationProviderKeys: ["ProviderKeys"],
  AllowedScopes: ["Scopes", "RequiredScopes", "RequiredScope", "RequireScopes"],
  RouteClaimsRequirement: [
    ...["RequiredClaims", "RequiredClaim", "RequireClaims", "RequireClaim", "AllowedClaims"],
    ...["RouteClaims", "ClaimsRequirement", "ClaimsRequirements", "ClaimRequirement", "ClaimRequirements"],
  ],
  IPAllowedList: [
    ...["IPAllowed", "AllowedIPs", "IPWhitelist", "IPAllowlist", "IPWhitelisted", "WhitelistedIPs"],
    ...["AllowedIPList", "AllowedIPAddresses", "IPAllowedAddresses"],
  ],
  IPBlockedList: [
    ...["IPBlocked", "BlockedIPs", "IPBlacklist", "IPBlocklist", "IPBlacklisted", "BlacklistedIPs", "IPDenylist"],
    ...["DeniedIPs", "BlockedIPList", "BlockedIPAddresses", "IPBlockedAddresses"],
  ],
};

/** The same on a route or for all of them; elsewhere in a file they are words of other programs. */
export const mistakenOnRoutes: Readonly<Record<string, readonly string[]>> = {
  AuthenticationOptions: [
    ...["Authorization", "AuthorizationPolicy", "Authorize", "AuthOptions", "AuthenticationScheme"],
    ...["AuthenticationSchemes", "RequireAuthentication", "RequiresAuthentication", "RequireAuthorization"],
  ],
  AllowedScopes: ["Scope"],
  RateLimitOptions: ["RateLimitConfig", "RateLimitSettings", "RateLimiter"],
  RouteClaimsRequirement: ["Claims", "Roles", "RequiredRoles", "RequireRole", "RequiredRole", "RequireRoles"],
};

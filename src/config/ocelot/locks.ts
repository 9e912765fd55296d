/** Where a lock may stand. */
export type LockLevel = "route" | "global" | "root";

/** Something that guards a route in Ocelot: where it may stand, what is lost without it, how to do it here. */
export type Lock = Readonly<{
  levels: readonly LockLevel[];
  loss: string;
  instead: string;
  /** The gateway does what it asks for. */
  isEnforced?: true;
}>;

const everywhere: readonly LockLevel[] = ["route", "global"];
const routesOnly: readonly LockLevel[] = ["route"];

// Its name still tells what a misspelt key may mean.
const enforced = { loss: "", instead: "", isEnforced: true } as const;

const identityLock: Lock = { levels: routesOnly, ...enforced };

/** Keys that guard a route or all routes; one that is switched on and that nothing fulfils stops the start. */
export const locks: Readonly<Record<string, Lock>> = {
  AuthenticationOptions: {
    levels: everywhere,
    ...enforced,
  },
  RouteClaimsRequirement: identityLock,
  SecurityOptions: {
    levels: everywhere,
    ...enforced,
  },
  RateLimitOptions: {
    levels: everywhere,
    ...enforced,
  },
  RateLimiting: {
    levels: everywhere,
    loss: "clients could send as much as they like",
    instead: 'write "RateLimitOptions": { "Limit": …, "Period": … }',
  },
  AddHeadersToRequest: identityLock,
  AddClaimsToRequest: identityLock,
  AddQueriesToRequest: identityLock,
  ChangeDownstreamPathTemplate: identityLock,
  DelegatingHandlers: {
    levels: routesOnly,
    ...enforced,
  },
};

const dynamicRoutes: Lock = {
  levels: ["root"],
  loss: "those services would not be reached",
  instead: 'write each as a route with "ServiceName"',
};

/** Keys beside `Routes` that declare whole paths; with entries they stop the start. */
export const routeSources: Readonly<Record<string, Lock>> = {
  Aggregates: {
    levels: ["root"],
    loss: "those paths would be missing",
    instead: "answer them with a handler of your own in Express",
  },
  DynamicRoutes: dynamicRoutes,
  DynamicReRoutes: dynamicRoutes,
};

/** All of them by name. */
export const allLocks: Readonly<Record<string, Lock>> = { ...locks, ...routeSources };

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
  AllowedScopes: ["Scopes", "RequiredScopes"],
  IPAllowedList: ["IPAllowed", "AllowedIPs", "IPWhitelist", "IPAllowlist"],
  IPBlockedList: ["IPBlocked", "BlockedIPs", "IPBlacklist", "IPBlocklist"],
};

import { isOnWithEntries, type LockLevel, type StateOfLock, stateOfRateLimit } from "./lock-states.ts";

/** Something that guards a route in Ocelot: where it may stand, when it is on, what is lost without it, how to do it here. */
export type Lock = Readonly<{
  levels: readonly LockLevel[];
  stateOf: StateOfLock;
  loss: string;
  instead: string;
  /** The gateway does what it asks for. */
  isEnforced?: true;
}>;

const everywhere: readonly LockLevel[] = ["route", "global"];
const routesOnly: readonly LockLevel[] = ["route"];

// Its name still tells what a misspelt key may mean.
const enforced = { loss: "", instead: "", isEnforced: true } as const;

const identityLock: Lock = { levels: routesOnly, stateOf: isOnWithEntries, ...enforced };

const rateLimit: Lock = {
  levels: everywhere,
  stateOf: stateOfRateLimit,
  loss: "clients could send as much as they like",
  instead: "limit the rate in a middleware, such as express-rate-limit",
};

/** Keys that guard a route or all routes; one that is switched on and that nothing fulfils stops the start. */
export const locks: Readonly<Record<string, Lock>> = {
  AuthenticationOptions: {
    levels: everywhere,
    stateOf: isOnWithEntries,
    ...enforced,
  },
  RouteClaimsRequirement: identityLock,
  SecurityOptions: {
    levels: everywhere,
    stateOf: isOnWithEntries,
    ...enforced,
  },
  RateLimitOptions: rateLimit,
  RateLimiting: { ...rateLimit, stateOf: isOnWithEntries },
  AddHeadersToRequest: identityLock,
  AddClaimsToRequest: identityLock,
  AddQueriesToRequest: identityLock,
  ChangeDownstreamPathTemplate: identityLock,
  DelegatingHandlers: {
    levels: routesOnly,
    stateOf: isOnWithEntries,
    ...enforced,
  },
};

const dynamicRoutes: Lock = {
  levels: ["root"],
  stateOf: isOnWithEntries,
  loss: "those services would not be reached",
  instead: 'write each as a route with "ServiceName"',
};

/** Keys beside `Routes` that declare whole paths; with entries they stop the start. */
export const routeSources: Readonly<Record<string, Lock>> = {
  Aggregates: {
    levels: ["root"],
    stateOf: isOnWithEntries,
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

import type { Capability } from "./capabilities/capability.ts";
import { addressLists } from "./capabilities/address-lists/address-lists.ts";
import { authentication } from "./capabilities/authentication/authentication.ts";
import { cache, cacheBehindCode } from "./capabilities/caching/caching.ts";
import { scopes } from "./capabilities/authentication/scope-guard.ts";
import { addedClaims } from "./capabilities/claims/added-claims.ts";
import { claimsIntoHeaders, claimsIntoPath, claimsIntoQuery } from "./capabilities/claims/claims-into-request.ts";
import { claimsRequirement } from "./capabilities/claims/claims-requirement.ts";
import { headerTransforms } from "./capabilities/header-transforms/header-transforms.ts";
import { identityLimits, rateLimits } from "./capabilities/rate-limits/rate-limits.ts";
import { circuitBreaker } from "./capabilities/quality-of-service/circuit-breaker.ts";
import { stickySessions } from "./capabilities/load-balancing/sticky-sessions.ts";
import { healthChecks } from "./capabilities/health-checks/health-checks.ts";
import { ownBalancers } from "./capabilities/load-balancing/own-balancers.ts";
import { namedHandlers } from "./capabilities/delegating-handlers/named-handlers.ts";

/** What a route can ask for besides being forwarded, in the order in which it acts on a request. */
export const pipeline: readonly Capability[] = [
  addressLists,
  rateLimits,
  authentication,
  identityLimits,
  addedClaims,
  scopes,
  claimsRequirement,
  headerTransforms,
  claimsIntoHeaders,
  claimsIntoQuery,
  claimsIntoPath,
  cache,
  ownBalancers,
  stickySessions,
  namedHandlers,
  cacheBehindCode,
  healthChecks,
  circuitBreaker,
];

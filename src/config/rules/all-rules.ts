import { checkAggregates } from "../../aggregates/aggregate-rules.ts";
import { warnOfReplacedLists } from "../../capabilities/address-lists/address-list-rules.ts";
import { checkHttpVersions } from "../../capabilities/http-version/http-version-rules.ts";
import { refuseCookieJars } from "../../capabilities/http-handler/http-handler-rules.ts";
import { checkIdentityKey } from "../../capabilities/authentication/identity-key-rule.ts";
import { checkAuthentication } from "../../capabilities/authentication/authentication-rules.ts";
import { checkKeyHeaders } from "../../capabilities/authentication/scheme-rules/key-headers.ts";
import { warnOfLiteralSecrets } from "../../capabilities/authentication/scheme-rules/literal-secrets.ts";
import { checkGlobalTransforms, checkTransforms } from "../../capabilities/header-transforms/header-transform-rules.ts";
import { checkRequestIdHeaders } from "../../capabilities/authentication/scheme-rules/request-id-headers.ts";
import { checkSchemes } from "../../capabilities/authentication/scheme-rules/scheme-rules.ts";
import { checkExpandedSecrets } from "../../capabilities/authentication/scheme-rules/unexpanded-secrets.ts";
import { checkCaches } from "../../capabilities/caching/cache-rules.ts";
import {
  checkClaimHeaders,
  checkClaimNames,
  checkFilledByClaims,
  checkRequirement,
} from "../../capabilities/claims/claim-rules.ts";
import { checkQuality } from "../../capabilities/quality-of-service/quality-rules.ts";
import { checkRetries } from "../../capabilities/retry/retry-rules.ts";
import { checkStickySessions } from "../../capabilities/load-balancing/sticky-rules.ts";
import { checkHealthCheck } from "../../capabilities/health-checks/health-check-rules.ts";
import { checkRateLimits } from "../../capabilities/rate-limits/rate-limit-rules.ts";
import { warnOfPriority, warnOfUpstreamHost } from "./matching-keys.ts";
import { checkAggregateNames, checkRepeatedAggregates } from "./repeated-aggregates.ts";
import { checkDownstreamMethods } from "./downstream-method.ts";
import { checkGlobalRequestId, checkHeaderNames, checkSchemeHeaders } from "./header-names.ts";
import { checkGlobalRouteKeys, checkRepeatedRoutes, checkRouteKeys } from "./repeated-routes.ts";
import { warnOfContinuedNames, warnOfLongTimeouts, warnOfOpenValues } from "./naming-service.ts";
import { checkMissingPlaceholders, checkQueryTemplate, checkRepeatedPlaceholders, checkRest } from "./placeholders.ts";
import { warnOfRefusedServices, warnOfRefusedTargets } from "./refused-targets.ts";
import type { ConfigRule, RouteRule } from "./rule.ts";
import { checkProviders, checkServices, requireDynamicRoutes } from "./providers.ts";
import { requireTarget } from "./target-missing.ts";
import { checkTls } from "../../capabilities/tls/tls-rules.ts";
import { checkSwaggerEndpoints } from "../../openapi/openapi-rules.ts";
import { checkRedis } from "../../stores/redis/redis-rules.ts";
import { checkBraces, requireTemplates } from "./templates.ts";
import { checkReachable } from "./unreachable.ts";
import { checkCookieOrigins, warnOfClosedWebSockets, warnOfOrigins } from "./websockets.ts";
import { checkHosts } from "./host-names.ts";
import { warnOfHosts } from "./hosts-not-asked.ts";
import { warnOfCertificates } from "./unverified-certificates.ts";
import { warnOfEmptyGlobalLists, warnOfEmptyHeaders, warnOfEmptyLists } from "./empty-restrictions.ts";
import { warnOfBaseUrl, warnOfOwnAddress } from "./base-url-and-own-address.ts";
import { warnOfPlainPorts } from "./port-without-tls.ts";
import { checkAggregateTemplates } from "./aggregates-as-routes.ts";

/** What is asked of each route, whatever else stands in the configuration. */
export const routeRules: readonly RouteRule[] = [
  requireTemplates,
  checkBraces,
  checkRepeatedPlaceholders,
  checkQueryTemplate,
  checkMissingPlaceholders,
  checkRest,
  checkRequirement,
  checkClaimNames,
  checkFilledByClaims,
  requireTarget,
  checkHealthCheck,
  checkHosts,
  checkHeaderNames,
  checkTransforms,
  warnOfPriority,
  warnOfUpstreamHost,
  warnOfEmptyLists,
  warnOfEmptyHeaders,
  warnOfRefusedTargets,
];

/** What is asked of the configuration as a whole. */
export const configRules: readonly ConfigRule[] = [
  checkProviders,
  checkServices,
  requireDynamicRoutes,
  warnOfRefusedServices,
  warnOfOpenValues,
  warnOfHosts,
  refuseCookieJars,
  checkDownstreamMethods,
  checkHttpVersions,
  checkStickySessions,
  checkRetries,
  warnOfCertificates,
  checkGlobalRequestId,
  checkSchemeHeaders,
  checkKeyHeaders,
  warnOfLiteralSecrets,
  checkExpandedSecrets,
  checkRequestIdHeaders,
  checkTls,
  warnOfBaseUrl,
  warnOfOrigins,
  warnOfEmptyGlobalLists,
  checkRouteKeys,
  checkGlobalRouteKeys,
  checkSchemes,
  checkAuthentication,
  warnOfReplacedLists,
  checkRateLimits,
  checkQuality,
  checkCaches,
  checkIdentityKey,
  checkRedis,
  checkClaimHeaders,
  checkGlobalTransforms,
  checkRepeatedRoutes,
  checkAggregateTemplates,
  checkAggregateNames,
  checkAggregates,
  checkRepeatedAggregates,
  checkSwaggerEndpoints,
  checkReachable,
  warnOfContinuedNames,
  warnOfLongTimeouts,
  warnOfPlainPorts,
  warnOfOwnAddress,
  checkCookieOrigins,
  warnOfClosedWebSockets,
];

import { warnOfOwnAddress, warnOfPlainPorts } from "./addresses.ts";
import {
  warnOfBaseUrl,
  warnOfCertificates,
  warnOfEmptyGlobalLists,
  warnOfEmptyLists,
  warnOfHosts,
  warnOfOrigins,
  warnOfPriority,
  warnOfUpstreamHost,
} from "./advice.ts";
import { checkGlobalRequestId, checkHeaderNames } from "./headers.ts";
import { checkRepeatedRoutes, checkRouteKeys } from "./identities.ts";
import { warnOfContinuedNames, warnOfLongTimeouts, warnOfOpenValues } from "./naming-service.ts";
import { checkMissingPlaceholders, checkQueryTemplate, checkRepeatedPlaceholders, checkRest } from "./placeholders.ts";
import { warnOfRefusedTargets } from "./refused-targets.ts";
import type { ConfigRule, RouteRule } from "./rule.ts";
import { checkHosts, checkProvider, checkTls, requireProvider, requireTarget } from "./targets.ts";
import { checkBraces, requireTemplates } from "./templates.ts";
import { checkReachable } from "./unreachable.ts";

/** What is asked of each route, whatever else stands in the configuration. */
export const routeRules: readonly RouteRule[] = [
  requireTemplates,
  checkBraces,
  checkRepeatedPlaceholders,
  checkQueryTemplate,
  checkMissingPlaceholders,
  checkRest,
  requireTarget,
  checkHosts,
  checkHeaderNames,
  warnOfCertificates,
  warnOfPriority,
  warnOfUpstreamHost,
  warnOfEmptyLists,
  warnOfRefusedTargets,
  warnOfOpenValues,
];

/** What is asked of the configuration as a whole. */
export const configRules: readonly ConfigRule[] = [
  checkProvider,
  requireProvider,
  warnOfHosts,
  checkGlobalRequestId,
  checkTls,
  warnOfBaseUrl,
  warnOfOrigins,
  warnOfEmptyGlobalLists,
  checkRouteKeys,
  checkRepeatedRoutes,
  checkReachable,
  warnOfContinuedNames,
  warnOfLongTimeouts,
  warnOfPlainPorts,
  warnOfOwnAddress,
];

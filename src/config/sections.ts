import { downstreamKeys } from "../forwarding/downstream-keys.ts";
import {
  anything,
  defineSection,
  ignored,
  routes,
  scalar,
  required,
  section,
  sections,
  type Section,
  type ValuesOf,
} from "../schema/key.ts";
import { aggregateKeys } from "../aggregates/aggregate-keys.ts";
import { addressListKeys } from "../capabilities/address-lists/address-list-keys.ts";
import { authenticationKeys } from "../capabilities/authentication/authentication-keys.ts";
import { identityKeys } from "../capabilities/authentication/identity-key.ts";
import { cacheKeys } from "../capabilities/caching/cache-keys.ts";
import { claimKeys } from "../capabilities/claims/claim-keys.ts";
import { delegatingHandlerKeys } from "../capabilities/delegating-handlers/delegating-handler-keys.ts";
import { healthCheckKeys } from "../capabilities/health-checks/health-check-keys.ts";
import { headerTransformKeys } from "../capabilities/header-transforms/header-transform-keys.ts";
import { httpHandlerKeys } from "../capabilities/http-handler/http-handler-keys.ts";
import { httpVersionKeys } from "../capabilities/http-version/http-version-keys.ts";
import { limitKeys } from "../capabilities/limits/limit-keys.ts";
import { loadBalancingKeys } from "../capabilities/load-balancing/load-balancing-keys.ts";
import { openApiKeys } from "../openapi/openapi-keys.ts";
import { matchingKeys } from "../routing/matching-keys.ts";
import { metadataKeys } from "../capabilities/metadata/metadata-keys.ts";
import { serviceDiscoveryKeys } from "../capabilities/service-discovery/service-discovery-keys.ts";
import { qualityKeys } from "../capabilities/quality-of-service/quality-keys.ts";
import { rateLimitKeys } from "../capabilities/rate-limits/rate-limit-keys.ts";
import { retryKeys } from "../capabilities/retry/retry-keys.ts";
import { requestIdKeys } from "../capabilities/request-ids/request-id-keys.ts";
import { timeoutKeys } from "../capabilities/timeouts/timeout-keys.ts";
import { tlsKeys } from "../capabilities/tls/tls-keys.ts";
import { webSocketKeys } from "../capabilities/websockets/websocket-keys.ts";
import { redisKeys } from "../stores/redis/redis-keys.ts";
import { text } from "../schema/values.ts";

// What a route can ask for, whichever requests it takes and wherever it asks.
const askableKeys = {
  ...serviceDiscoveryKeys.route,
  ...loadBalancingKeys.route,
  ...qualityKeys.route,
  ...healthCheckKeys.route,
  ...timeoutKeys.route,
  ...retryKeys.route,
  ...httpVersionKeys.route,
  ...httpHandlerKeys.route,
  ...requestIdKeys.route,
  ...addressListKeys.route,
  ...rateLimitKeys.route,
  ...authenticationKeys.route,
  ...claimKeys.route,
  ...headerTransformKeys.route,
  ...cacheKeys.route,
  ...delegatingHandlerKeys.route,
  ...limitKeys.route,
  ...webSocketKeys.route,
  ...tlsKeys.route,
  ...metadataKeys.route,
  ...openApiKeys.route,
  Extensions: anything({ type: "anything", means: "Yours; in `route.config` as it was written", otherwise: "none" }),
} as const;

/** One element of `Routes`: the keys of all that a route can ask for, in the order of the documentation. */
export const routeSection = defineSection(
  { name: "route", heading: "Route" },
  { ...matchingKeys.route, ...downstreamKeys.route, ...askableKeys },
);

/** One element of `DynamicRoutes`: a service that clients reach by its name, with all that a route can ask for. */
export const dynamicRouteSection = defineSection(
  { name: "dynamicRoute", heading: "DynamicRoute" },
  {
    Key: matchingKeys.route.Key,
    DownstreamScheme: downstreamKeys.route.DownstreamScheme,
    DownstreamHttpMethod: downstreamKeys.route.DownstreamHttpMethod,
    ...askableKeys,
    ServiceName: required(askableKeys.ServiceName),
  },
);

/** The section `GlobalConfiguration`. */
export const globalSection = defineSection(
  { name: "global", heading: "GlobalConfiguration" },
  {
    BaseUrl: scalar(text, {
      type: "URL",
      means: "The gateway's own address; `{BaseUrl}` in header transforms, and `config.baseUrl` in code",
      otherwise: "none",
      examples: ["https://api.example.org"],
      problems: ["base-url-invalid", "own-address"],
      ocelot: "need not be written: without it `{BaseUrl}` is unknown; your code finds it as `config.baseUrl`",
    }),
    ...serviceDiscoveryKeys.global,
    ...downstreamKeys.global,
    ...addressListKeys.global,
    ...rateLimitKeys.global,
    ...authenticationKeys.global,
    ...identityKeys.global,
    ...redisKeys.global,
    ...headerTransformKeys.global,
    ...cacheKeys.global,
    ...loadBalancingKeys.global,
    ...qualityKeys.global,
    ...timeoutKeys.global,
    ...httpVersionKeys.global,
    ...httpHandlerKeys.global,
    ...requestIdKeys.global,
    ...limitKeys.global,
    ...webSocketKeys.global,
    ...tlsKeys.global,
    ...metadataKeys.global,
    Extensions: ignored({ type: "anything", means: "Yours; never looked at", otherwise: "none" }),
  },
);

/** A configuration as a whole. */
export const rootSection = defineSection(
  { name: "root", heading: "Top level" },
  {
    Routes: routes(routeSection, {
      type: "list of routes",
      means: "The routes, in order",
      otherwise: "none",
      problems: ["no-routes"],
      ocelot: "same",
    }),
    DynamicRoutes: sections(dynamicRouteSection, {
      type: "list of objects",
      means:
        "Services that clients reach by the first segment of the path; see [finding services](service-discovery.md#dynamic-routes)",
      otherwise: "none",
      problems: ["service-name-invalid", "dynamic-routes-missing"],
      ocelot:
        "they go on beside written routes, behind them; only what is listed is reachable, unless the provider has `AllowAnyService`",
    }),
    ...aggregateKeys.root,
    ...openApiKeys.root,
    GlobalConfiguration: section(globalSection, {
      type: "object",
      means: "What holds for all routes",
      otherwise: "none",
      ocelot: "same",
    }),
    Extensions: ignored({ type: "anything", means: "Yours; never looked at", otherwise: "none" }),
  },
);

/** Every kind of object that a configuration is made of, each behind the one that asks for it first. */
export const allSections: readonly Section[] = [...sectionsFrom(rootSection)];

/** The name of a kind of object. */
export type SectionName = Section["name"];

function sectionsFrom(section: Section): Set<Section> {
  const inner = Object.values(section.keys).flatMap((key) => ("section" in key ? [...sectionsFrom(key.section)] : []));
  return new Set([section, ...inner]);
}

/** What was written for one route: canonical keys, values normalised, nothing added. */
export type RouteConfig = ValuesOf<(typeof routeSection)["keys"]>;

/** What was written for one service under `DynamicRoutes`. */
export type DynamicRouteConfig = ValuesOf<(typeof dynamicRouteSection)["keys"]>;

/** What was written under `GlobalConfiguration`. */
export type GlobalConfig = ValuesOf<(typeof globalSection)["keys"]>;

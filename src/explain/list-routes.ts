import { mergeMetadata } from "../capabilities/metadata/merge-metadata.ts";
import { bareServiceName } from "../capabilities/naming-service/service-name.ts";
import { balancerOf, instancesOf } from "../compiling/compile-way.ts";
import { defineRoute } from "../compiling/index-routes.ts";
import { usualIdOf } from "../config/dynamic-routes.ts";
import { fileOfRoute, type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { describeService, goesToNamingService } from "../discovery/provider-of.ts";
import { originOf } from "../hosts/origin.ts";
import type { RouteDefinition } from "../routing/index/route-index.ts";
import { inMatchingOrder, priorityOf } from "../routing/matching-order.ts";
import { describeUpstream } from "../secrets/describe-upstream.ts";
import { maskValues, redactUrl } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import { type RouteHeaders, routeHeadersOf } from "./describe-transforms.ts";
import { explainMetadata } from "./explain-metadata.ts";
import type { ExplainedMetadata } from "./explanation.ts";
import { maskAccess, maskEntry, maskRouteHeaders } from "./mask-by-config.ts";
import { type RouteAccess, routeAccessOf } from "./route-access.ts";
import { routeRateOf } from "./route-rate.ts";

/** A route as it may be shown, secrets masked. */
export type ListedRoute = Readonly<{
  id: string;
  /** In which of several files it stands. */
  file: string | undefined;
  /** Empty: every method but TRACE and CONNECT. */
  methods: readonly string[];
  /** Host and path template. */
  upstream: string;
  /** Where its requests go: an origin and the template. */
  downstream: string;
  priority: number;
  access: RouteAccess;
  /** How often clients may ask; undefined where as often as they like. */
  rate: string | undefined;
  headers: RouteHeaders;
  metadata: readonly ExplainedMetadata[];
}>;

type IdentifiedRoute = Readonly<{ route: RouteConfig; id: string }>;

/** The routes of a configuration as they may be shown, in the order in which they are tried. */
export function listRoutes(config: GatewayConfig): ListedRoute[] {
  return runAtOnce(listRoutesInSteps(config));
}

/** Lists the same in steps, for a process that serves requests meanwhile. */
export function* listRoutesInSteps(config: GatewayConfig): Steps<ListedRoute[]> {
  const global = globalConfigOf(config)!;
  const definitions: RouteDefinition<IdentifiedRoute>[] = [];
  for (const [index, route] of config.routes.entries()) {
    yield;
    const identified = { route, id: route.Key ?? usualIdOf(route, index) };
    definitions.push(defineRoute(identified, parseUpstreamTemplate(route.UpstreamPathTemplate), route));
  }
  const listed: ListedRoute[] = [];
  for (const definition of inMatchingOrder(definitions)) {
    yield;
    listed.push(listRoute(definition, global, variableSecretsOf(config)));
  }
  return listed;
}

function listRoute(
  definition: RouteDefinition<IdentifiedRoute>,
  global: GlobalConfig,
  variables: readonly string[],
): ListedRoute {
  const { route, id } = definition.value;
  const { DownstreamPathTemplate, ServiceName, Metadata } = route;
  const [origin = describeService(route, global) ?? "", ...others] = instancesOf(route, global).map(originOf);
  const rate = routeRateOf(route, global);
  const more =
    others.length === 0 || balancerOf(route, global) === "NoLoadBalancer" ? "" : ` (and ${others.length} more)`;
  const service = goesToNamingService(route, global) ? `/${bareServiceName(ServiceName!)}` : "";
  return {
    id: maskValues(id, variables),
    file: fileOfRoute(route),
    methods: (route.UpstreamHttpMethod ?? []).map((method) => maskValues(method.trim().toUpperCase(), variables)),
    upstream: describeUpstream(route),
    downstream: redactUrl(origin + service + DownstreamPathTemplate, route) + more,
    priority: priorityOf(route.UpstreamPathTemplate, route.Priority),
    access: maskAccess(routeAccessOf(route, global), variables),
    rate: rate && maskValues(rate, variables),
    headers: maskRouteHeaders(routeHeadersOf(route, global), route),
    metadata: explainMetadata(mergeMetadata(global.Metadata, Metadata), global.Metadata, Metadata).map((entry) =>
      maskEntry(entry, variables),
    ),
  };
}

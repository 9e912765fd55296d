import type { AggregateConfig } from "../aggregates/aggregate-keys.ts";
import { partKeysOf } from "../compiling/aggregate-routes.ts";
import { balancerOf } from "../discovery/balancer-of.ts";
import { mergeMetadata } from "../capabilities/metadata/merge-metadata.ts";
import { bareServiceName } from "../capabilities/naming-service/bare-service-name.ts";
import { instancesOf } from "../compiling/compile-way.ts";
import { defineRoute } from "../compiling/index-routes.ts";
import { fileOfRoute, type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { describeService, goesToNamingService } from "../discovery/provider-of.ts";
import { originOf } from "../hosts/host-origin.ts";
import type { RouteDefinition } from "../routing/index/route-index.ts";
import { inMatchingOrder, priorityOf } from "../routing/matching-order.ts";
import { describeUpstream } from "../secrets/describe-upstream.ts";
import { maskValues, redactUrl } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import { type RouteHeaders, routeHeadersOf } from "./describe-transforms.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { explainMetadata } from "./explain-metadata.ts";
import type { ExplainedMetadata } from "./explanation.ts";
import { maskAccess, maskEntry, maskRouteHeaders } from "./mask-by-config.ts";
import { entryAccessOf, type RouteAccess } from "./route-access.ts";
import { entryPoliciesOf, maskPolicies, type Policy } from "./route-policies.ts";

/** A route as it may be shown, secrets masked. */
export type ListedRoute = Readonly<{
  id: string;
  /** Its place in the configuration. */
  index: number;
  /** `dynamic`: clients reach the service by its name; `aggregate`: several routes answer together. */
  kind: Entry["kind"];
  /** In which of several files it stands. */
  file: string | undefined;
  /** Empty: every method but TRACE and CONNECT. */
  methods: readonly string[];
  /** Host and path template. */
  upstream: string;
  /** Where its requests go: an origin and the template; of an aggregate its parts. */
  downstream: string;
  priority: number;
  access: RouteAccess;
  /** What else it asks for: how often clients may ask, what is cached, and so on. */
  policies: readonly Policy[];
  headers: RouteHeaders;
  metadata: readonly ExplainedMetadata[];
}>;

/** The routes of a configuration as they may be shown, in the order in which they are tried. */
export function listRoutes(config: GatewayConfig): ListedRoute[] {
  return runAtOnce(listRoutesInSteps(config));
}

/** Lists the same in steps, for a process that serves requests meanwhile. */
export function* listRoutesInSteps(config: GatewayConfig): Steps<ListedRoute[]> {
  const global = globalConfigOf(config)!;
  const definitions: RouteDefinition<Entry>[] = [];
  for (const entry of entriesOf(config)) {
    yield;
    definitions.push(defineRoute(entry, parseUpstreamTemplate(entry.config.UpstreamPathTemplate), entry.config));
  }
  const listed: ListedRoute[] = [];
  for (const { value: entry } of inMatchingOrder(definitions)) {
    yield;
    listed.push(listEntry(entry, global, variableSecretsOf(config)));
  }
  return listed;
}

function listEntry(entry: Entry, global: GlobalConfig, variables: readonly string[]): ListedRoute {
  const { id, kind, config: route, aggregate } = entry;
  const { Metadata } = route;
  return {
    id: maskValues(id, variables),
    index: entry.index,
    kind,
    file: fileOfRoute(aggregate?.written ?? route),
    methods: (route.UpstreamHttpMethod ?? []).map((method) => maskValues(method.trim().toUpperCase(), variables)),
    upstream: describeUpstream(route),
    downstream: aggregate === undefined ? targetOf(route, global) : nameParts(aggregate.written, variables),
    priority: priorityOf(route.UpstreamPathTemplate, route.Priority),
    access: maskAccess(entryAccessOf(entry, global), variables),
    policies: maskPolicies(entryPoliciesOf(entry, global), variables),
    headers: aggregate === undefined ? maskRouteHeaders(routeHeadersOf(route, global), route) : noHeaders,
    metadata: explainMetadata(mergeMetadata(global.Metadata, Metadata), global.Metadata, Metadata).map((metadata) =>
      maskEntry(metadata, variables),
    ),
  };
}

const noHeaders: RouteHeaders = { request: {}, answer: {} };

function nameParts(aggregate: AggregateConfig, variables: readonly string[]): string {
  return maskValues(partKeysOf(aggregate).join(" and "), variables);
}

/** Where the requests of a route go: an origin and the template. */
function targetOf(route: RouteConfig, global: GlobalConfig): string {
  const { DownstreamPathTemplate, ServiceName } = route;
  const [origin = describeService(route, global) ?? "", ...others] = instancesOf(route, global).map(originOf);
  const hasMore = others.length > 0 && balancerOf(route, global) !== "NoLoadBalancer";
  const service = goesToNamingService(route, global) ? `/${bareServiceName(ServiceName!)}` : "";
  const target = redactUrl(origin + service + DownstreamPathTemplate, route);
  return hasMore ? `${target} (and ${others.length} more)` : target;
}

import { type RouteLimits, toMilliseconds } from "../capabilities/limits/route-limits.ts";
import { type BalancerType, createOrigins, formatOrigin } from "../capabilities/load-balancing/choose-host.ts";
import { providerAddress } from "../capabilities/naming-service/provider-address.ts";
import { createDeadlines } from "../capabilities/timeouts/deadlines.ts";
import { createSendUpgrade } from "../capabilities/websockets/send-upgrade.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import type { ConnectionSettings, Engine } from "../forwarding/engines/engine.ts";
import { createForward, type ForwardableRequest } from "../forwarding/forward.ts";
import { createResolvePath, type DownstreamPath, type MatchedTarget } from "../forwarding/resolve-path.ts";
import { createSendRequest } from "../forwarding/send-request.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { UpstreamTemplate } from "../templates/upstream-template.ts";
import { isSecure, isWebSocketScheme } from "../urls/schemes.ts";

/** How requests of a route go upstream. */
export type Forward = (request: ForwardableRequest) => Promise<UpstreamResponse>;

/** What a route's way upstream is compiled from; its connection is settled at start-up, as certificates are read for it. */
export type ForwardSources = Readonly<{
  config: RouteConfig;
  upstream: UpstreamTemplate;
  limits: RouteLimits;
  connection: ConnectionSettings;
}>;

/** What all routes of a gateway have in common on their way upstream. */
export type ForwardSurroundings = Readonly<{ global: GlobalConfig; options: GatewayOptions; engine: Engine }>;

const defaultAnswerSeconds = 90;

/**
 * Compiles how requests of a route go upstream, when the first one does: the configuration was checked before, and of
 * ten thousand routes most are asked for rarely.
 */
export function compileForward(sources: ForwardSources, surroundings: ForwardSurroundings): Forward {
  let compiled: Forward | undefined;
  return function forward(request) {
    compiled ??= compile(sources, surroundings);
    return compiled(request);
  };
}

function compile(
  { config, upstream, limits, connection }: ForwardSources,
  { global, options, engine }: ForwardSurroundings,
): Forward {
  const origins = createOrigins(originsOf(config, global), balancerOf(config, global));
  const answer = toMilliseconds(config.Timeout ?? global.Timeout ?? defaultAnswerSeconds);
  const createSend = hasWebSockets(config) ? createSendUpgrade : createSendRequest;
  return createForward({
    resolvePath: compileResolvePath(config, upstream, global),
    origins,
    send: createSend({
      engine,
      connection,
      origins,
      times: { answer: createDeadlines(answer), upload: limits.upload },
    }),
    handlers: options.handlers ?? [],
    method: config.DownstreamHttpMethod,
    bodyLimit: limits.body,
    via: options.via ?? false,
    compared: comparedHeaders(upstream, config.RequestIdKey ?? global.RequestIdKey),
  });
}

/** The headers, in lower case, by which a route is chosen or which it sets. */
export function comparedHeaders(
  { headers }: Pick<UpstreamTemplate, "headers">,
  requestIdKey: string | undefined,
): ReadonlySet<string> {
  const names = headers.map(({ name }) => name);
  return new Set(requestIdKey === undefined ? names : [...names, requestIdKey.toLowerCase()]);
}

/** Whether a route takes WebSockets. */
export function hasWebSockets({ AllowUpgrade, DownstreamScheme }: RouteConfig): boolean {
  return AllowUpgrade ?? isWebSocketScheme(DownstreamScheme);
}

/** Prepares how the path of a route's requests is made. */
export function compileResolvePath(
  config: RouteConfig,
  upstream: UpstreamTemplate,
  { ServiceDiscoveryProvider: provider }: GlobalConfig,
): (matched: MatchedTarget) => DownstreamPath {
  return createResolvePath({
    pathTemplate: config.DownstreamPathTemplate,
    serviceName: config.ServiceName,
    upstream,
    allowNameParameter: provider?.AllowServiceNameParameter ?? false,
    clientParameters: config.ClientParameters ?? provider?.ClientParameters,
  });
}

/** Where a route's requests may go; with a service name to the naming service, even if the route also lists hosts. */
export function originsOf(config: RouteConfig, global: GlobalConfig): readonly string[] {
  const scheme = config.DownstreamScheme ?? "http";
  if (config.ServiceName === undefined) {
    return (config.DownstreamHostAndPorts ?? []).map(({ Host, Port }) => formatOrigin(scheme, Host, Port));
  }
  const { Host = providerAddress.host, Port = providerAddress.port, Scheme } = global.ServiceDiscoveryProvider ?? {};
  return [formatOrigin(isSecure(Scheme) ? "https" : scheme, Host, Port)];
}

/** How several hosts of a route take turns; the naming service is one, and chooses by itself. */
export function balancerOf(config: RouteConfig, global: GlobalConfig): BalancerType {
  if (config.ServiceName !== undefined) return "NoLoadBalancer";
  return config.LoadBalancerOptions?.Type ?? global.LoadBalancerOptions?.Type ?? "NoLoadBalancer";
}

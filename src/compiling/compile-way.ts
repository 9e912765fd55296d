import type { RouteLimits } from "../capabilities/limits/route-limits.ts";
import { balancerOf } from "../discovery/balancer-of.ts";
import { providerAddress } from "../capabilities/naming-service/provider-address.ts";
import type { TimeoutStatus } from "../capabilities/timeouts/timeout-status.ts";
import { hasWebSockets } from "../capabilities/websockets/has-websockets.ts";
import { createUpgradeRules, type UpgradeRules } from "../capabilities/websockets/refuse-websocket.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { describeService, goesToNamingService, providerOf, registryOf } from "../discovery/provider-of.ts";
import { createResolvePath, type DownstreamPath, type MatchedTarget } from "../forwarding/resolve-path.ts";
import { fixedSource, type HostSource } from "../hosts/host-source.ts";
import type { Instance } from "../hosts/host.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { UpstreamTemplate } from "../templates/upstream-template.ts";
import { defaultPortOf, isSecure, plainScheme } from "../urls/schemes.ts";

/** All that decides what becomes of a route's requests, but for how they are sent: explaining reads the same. */
export type RouteWay = Readonly<{
  limits: RouteLimits;
  requestIdKey: string | undefined;
  /** Names in lower case of headers that the route compares or sets. */
  compared: () => ReadonlySet<string>;
  timeoutStatus: TimeoutStatus;
  /** Only where the route has WebSockets. */
  upgradeRules: UpgradeRules | undefined;
  target: () => RouteTarget;
}>;

/** Where a route's requests go, and what they become on their way. */
type RouteTarget = Readonly<{
  resolvePath: (matched: MatchedTarget) => DownstreamPath;
  hosts: HostSource;
  /** Goes before those of the hosts. */
  scheme: "http" | "https" | undefined;
  /** How it is said where requests go of which only a provider knows that. */
  service: string | undefined;
  balancer: string;
  /** Replaces the client's method. */
  method: string | undefined;
  via: boolean;
}>;

/** What of one route its way is compiled from. */
type WaySources = Readonly<{ config: RouteConfig; template: UpstreamTemplate; limits: RouteLimits }>;

/** What the ways of all routes have in common. */
export type WaySurroundings = Readonly<{
  global: GlobalConfig;
  /** Where the instances of a route's service are told; whoever only explains asks nobody. */
  findService?: (route: RouteConfig) => HostSource | undefined;
  options: Pick<GatewayOptions, "allowedOrigins" | "via">;
}>;

/** Compiles the way of a route's requests. Most routes are asked for rarely: what only their requests need waits for them. */
export function compileWay({ config, template, limits }: WaySources, surroundings: WaySurroundings): RouteWay {
  const { global, options } = surroundings;
  const requestIdKey = config.RequestIdKey ?? global.RequestIdKey;
  let target: RouteTarget | undefined;
  return {
    limits,
    requestIdKey,
    timeoutStatus: global.TimeoutStatus === 503 ? 503 : undefined,
    compared: () => comparedHeaders(template, requestIdKey),
    upgradeRules: hasWebSockets(config)
      ? createUpgradeRules(config.AllowedOrigins ?? global.AllowedOrigins ?? options.allowedOrigins)
      : undefined,
    target: () => (target ??= compileTarget(config, template, surroundings)),
  };
}

function comparedHeaders(
  { headers }: Pick<UpstreamTemplate, "headers">,
  requestIdKey: string | undefined,
): ReadonlySet<string> {
  const names = headers.map(({ name }) => name);
  return new Set(requestIdKey === undefined ? names : [...names, requestIdKey.toLowerCase()]);
}

function compileTarget(
  config: RouteConfig,
  upstream: UpstreamTemplate,
  { global, options, findService }: WaySurroundings,
): RouteTarget {
  const provider = providerOf(config, global);
  return {
    resolvePath: createResolvePath({
      pathTemplate: config.DownstreamPathTemplate,
      serviceName: goesToNamingService(config, global) ? config.ServiceName : undefined,
      upstream,
      allowNameParameter: provider?.AllowServiceNameParameter ?? false,
      clientParameters: config.ClientParameters ?? provider?.ClientParameters,
    }),
    hosts: findService?.(config) ?? fixedSource(instancesOf(config, global)),
    service: describeService(config, global),
    scheme:
      registryOf(config, global) === undefined
        ? undefined
        : plainScheme(config.DownstreamScheme ?? global.DownstreamScheme),
    balancer: balancerOf(config, global),
    method: config.DownstreamHttpMethod,
    via: options.via ?? false,
  };
}

/**
 * Where a route's requests may go; with a service name to the naming service, even if the route also lists hosts. Where
 * others tell, the configuration names nobody.
 */
export function instancesOf(config: RouteConfig, global: GlobalConfig): readonly Instance[] {
  const scheme = config.DownstreamScheme ?? global.DownstreamScheme ?? "http";
  if (config.ServiceName === undefined) {
    return (config.DownstreamHostAndPorts ?? []).map(({ Host, Port, Weight }) => ({
      ...toInstance(scheme, Host, Port),
      weight: Weight,
    }));
  }
  if (!goesToNamingService(config, global)) return [];
  const { Host = providerAddress.host, Port = providerAddress.port, Scheme } = providerOf(config, global) ?? {};
  return [toInstance(isSecure(Scheme) ? "https" : scheme, Host, Port)];
}

function toInstance(written: string, host: string, port: number | undefined): Instance {
  const scheme = plainScheme(written)!;
  return { scheme, host, port: port ?? defaultPortOf(scheme)! };
}

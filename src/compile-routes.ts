import type { GlobalConfig, RouteConfig } from "./config/schema.ts";
import { type ConnectionConfig, createConnectionRegistry } from "./connection-settings.ts";
import type { UpstreamResponse } from "./exchange.ts";
import { compileLimits, type RouteLimits } from "./limits.ts";
import { createMetadataReader } from "./metadata/get-metadata.ts";
import { mergeMetadata } from "./metadata/merge-metadata.ts";
import type { GatewayOptions } from "./options.ts";
import type { ConnectionSettings, Engine } from "./proxy/engine.ts";
import { createForward, type ForwardableRequest } from "./proxy/forward.ts";
import { createOrigins, formatOrigin, type Origins } from "./proxy/origins.ts";
import { createResolvePath } from "./proxy/resolve-path.ts";
import { createSendRequest } from "./proxy/send-request.ts";
import { createSendUpgrade } from "./proxy/send-upgrade.ts";
import type { Route } from "./route.ts";
import { createUpgradeRules, type UpgradeRules } from "./upgrade/judge-upgrade.ts";
import { parseUpstreamTemplate, type UpstreamTemplate } from "./upstream-template.ts";

/** A route with everything that start-up can decide. */
export type CompiledRoute = Readonly<{
  route: Route;
  template: UpstreamTemplate;
  limits: RouteLimits;
  requestIdKey: string | undefined;
  /** Only where the route has WebSockets. */
  upgradeRules: UpgradeRules | undefined;
  forward: (request: ForwardableRequest) => Promise<UpstreamResponse>;
  /** Requests under way, and WebSockets open or asked for. */
  load: { running: number; sockets: number };
}>;

/** What all routes of a gateway share. */
type Shared = Readonly<{
  global: GlobalConfig;
  options: GatewayOptions;
  engine: Engine;
  connectionFor: (config: ConnectionConfig) => ConnectionSettings;
}>;

// One object, so that all routes share what it compiles to.
const noMetadataOptions = {};
const defaultAnswerSeconds = 90;
const defaultProviderPort = 19_081;

/** Compiles the routes of a configuration, in its order. */
export function compileRoutes(
  configs: readonly RouteConfig[],
  global: GlobalConfig,
  options: GatewayOptions,
  engine: Engine,
): CompiledRoute[] {
  const shared = { global, options, engine, connectionFor: createConnectionRegistry() };
  return configs.map((config, index) => compileRoute(config, index, shared));
}

function compileRoute(config: RouteConfig, index: number, shared: Shared): CompiledRoute {
  const { global, options } = shared;
  const template = parseUpstreamTemplate(config.UpstreamPathTemplate, config.UpstreamHeaderTemplates);
  const limits = compileLimits(config.Limits, global.Limits, options.limits);
  return {
    route: createRoute(config, index, global),
    template,
    limits,
    requestIdKey: config.RequestIdKey ?? global.RequestIdKey,
    forward: compileForward(config, template, limits, shared),
    upgradeRules: hasWebSockets(config)
      ? createUpgradeRules(config.AllowedOrigins ?? global.AllowedOrigins ?? options.allowedOrigins)
      : undefined,
    load: { running: 0, sockets: 0 },
  };
}

function createRoute(config: RouteConfig, index: number, global: GlobalConfig): Route {
  const id = config.Key ?? String(index);
  const metadata = mergeMetadata(global.Metadata, config.Metadata);
  return Object.freeze({
    id,
    upstreamPathTemplate: config.UpstreamPathTemplate,
    downstreamPathTemplate: config.DownstreamPathTemplate,
    serviceName: config.ServiceName,
    metadata,
    getMetadata: createMetadataReader({ routeId: id, metadata, options: global.MetadataOptions ?? noMetadataOptions }),
    config,
  });
}

function compileForward(
  config: RouteConfig,
  upstream: UpstreamTemplate,
  limits: RouteLimits,
  { global, options, engine, connectionFor }: Shared,
): CompiledRoute["forward"] {
  const provider = global.ServiceDiscoveryProvider;
  const origins = compileOrigins(config, global);
  const answer = (config.Timeout ?? global.Timeout ?? defaultAnswerSeconds) * 1_000;
  const connection = connectionFor({
    connectTimeout: limits.connect,
    tls: config.Tls ?? (config.ServiceName === undefined ? undefined : provider?.Tls) ?? global.Tls,
    acceptAnyCertificate: config.DangerousAcceptAnyServerCertificateValidator ?? false,
  });
  const createSend = hasWebSockets(config) ? createSendUpgrade : createSendRequest;
  return createForward({
    resolvePath: createResolvePath({
      pathTemplate: config.DownstreamPathTemplate,
      serviceName: config.ServiceName,
      upstream,
      allowNameParameter: provider?.AllowServiceNameParameter ?? false,
      clientParameters: config.ClientParameters ?? provider?.ClientParameters,
    }),
    origins,
    send: createSend({ engine, connection, origins, times: { answer, upload: limits.upload } }),
    handlers: options.handlers ?? [],
    method: config.DownstreamHttpMethod,
    bodyLimit: limits.body,
    via: options.via ?? false,
  });
}

function hasWebSockets({ AllowUpgrade, DownstreamScheme }: RouteConfig): boolean {
  return AllowUpgrade ?? (DownstreamScheme === "ws" || DownstreamScheme === "wss");
}

/** A route with a service name goes to the naming service, even if it also lists hosts. */
function compileOrigins(config: RouteConfig, global: GlobalConfig): Origins {
  const scheme = config.DownstreamScheme ?? "http";
  if (config.ServiceName !== undefined) {
    const { Host = "localhost", Port = defaultProviderPort, Scheme } = global.ServiceDiscoveryProvider ?? {};
    return createOrigins([formatOrigin(isSecure(Scheme) ? "https" : scheme, Host, Port)], "NoLoadBalancer");
  }
  const origins = (config.DownstreamHostAndPorts ?? []).map(({ Host, Port }) => formatOrigin(scheme, Host, Port));
  return createOrigins(
    origins,
    config.LoadBalancerOptions?.Type ?? global.LoadBalancerOptions?.Type ?? "NoLoadBalancer",
  );
}

function isSecure(scheme: string | undefined): boolean {
  return scheme === "https" || scheme === "wss";
}

import { compileForward, type Forward, hasWebSockets } from "./compile-forward.ts";
import type { GlobalConfig, RouteConfig } from "./config/schema.ts";
import { type ConnectionConfig, createConnectionRegistry } from "./connection-settings.ts";
import { compileLimits, type RouteLimits } from "./limits.ts";
import { createMetadataReader } from "./metadata/get-metadata.ts";
import { mergeMetadata } from "./metadata/merge-metadata.ts";
import type { GatewayOptions } from "./options.ts";
import type { ConnectionSettings, Engine } from "./proxy/engine.ts";
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
  forward: Forward;
  /** Requests under way, and WebSockets open or asked for. */
  load: { running: number; sockets: number };
}>;

/** What all routes of a gateway share. */
type Shared = Readonly<{
  global: GlobalConfig;
  options: GatewayOptions;
  engine: Engine;
  /** Of every route that has none of its own. */
  limits: RouteLimits;
  connectionFor: (config: ConnectionConfig) => ConnectionSettings;
}>;

// One object, so that all routes share what it compiles to.
const noMetadataOptions = {};

/** Compiles the routes of a configuration, in its order. */
export function compileRoutes(
  configs: readonly RouteConfig[],
  global: GlobalConfig,
  options: GatewayOptions,
  engine: Engine,
): CompiledRoute[] {
  const limits = compileLimits({}, global.Limits, options.limits);
  const shared = { global, options, engine, limits, connectionFor: createConnectionRegistry() };
  return configs.map((config, index) => compileRoute(config, index, shared));
}

function compileRoute(config: RouteConfig, index: number, shared: Shared): CompiledRoute {
  const { global, options, connectionFor } = shared;
  const template = parseUpstreamTemplate(config.UpstreamPathTemplate, config.UpstreamHeaderTemplates);
  const limits =
    config.Limits === undefined ? shared.limits : compileLimits(config.Limits, global.Limits, options.limits);
  const connection = connectionFor({
    connectTimeout: limits.connect,
    tls:
      config.Tls ?? (config.ServiceName === undefined ? undefined : global.ServiceDiscoveryProvider?.Tls) ?? global.Tls,
    acceptAnyCertificate: config.DangerousAcceptAnyServerCertificateValidator ?? false,
  });
  return {
    route: createRoute(config, index, global),
    template,
    limits,
    requestIdKey: config.RequestIdKey ?? global.RequestIdKey,
    forward: compileForward({ config, upstream: template, limits, connection }, shared),
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

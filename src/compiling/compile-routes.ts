import type { HealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import { effectiveHandler } from "../capabilities/http-handler/effective-handler.ts";
import { compileLimits, type RouteLimits } from "../capabilities/limits/route-limits.ts";
import type { CapabilitySurroundings } from "../capabilities/capability.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { Engine } from "../forwarding/engines/engine.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { HostSource } from "../hosts/host-source.ts";
import type { Logger } from "../logging/logger.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import type { AnswerStore } from "../stores/answer-store.ts";
import type { SharedStore } from "../stores/store-holder.ts";
import type { Steps } from "../time-slices.ts";
import type { ServiceRound } from "./find-services.ts";
import { compileForward, type ForwardSurroundings } from "./compile-forward.ts";
import { compilePipeline, type SharedParts } from "./compile-pipeline.ts";
import type { CompiledRoute } from "./compiled-route.ts";
import { compileWay } from "./compile-way.ts";
import { createRoute, idOf } from "./create-route.ts";
import type { ConnectionRound } from "../capabilities/tls/connections-shared-by-routes.ts";
import { tlsOf } from "./effective-tls.ts";

/** What a route was before a reload. */
export type EarlierCompiled = Readonly<{ compiled: CompiledRoute; isSame: boolean }>;

/** What all routes of a gateway are compiled with. */
export type RouteSurroundings = Readonly<{
  global: GlobalConfig;
  options: GatewayOptions;
  engine: Engine;
  connections: ConnectionRound;
  /** Where the services of routes are found. */
  services: Pick<ServiceRound, "providerOf"> & Readonly<{ find: (route: RouteConfig) => HostSource | undefined }>;
  logger: Logger;
  store: SharedStore;
  now: () => number;
  changed: CapabilitySurroundings["changed"];
  answers: AnswerStore;
  monitor: HealthMonitor;
  /** What the routes share of each capability. */
  parts: SharedParts;
  /** The earlier route that became the route at an index; undefined for a new route. */
  earlierAt: (index: number) => EarlierCompiled | undefined;
}>;

type Shared = RouteSurroundings &
  Readonly<{
    /** The limits of every route that has none of its own. */
    limits: RouteLimits;
    /**
     * All of this that a compiled route keeps: keeping more would keep the earlier configuration in memory, and all
     * before it.
     */
    forwarding: ForwardSurroundings;
  }>;

/** Compiles the routes of a configuration, in its order. */
export function* compileRoutes(
  configs: readonly RouteConfig[],
  surroundings: RouteSurroundings,
): Steps<CompiledRoute[]> {
  const { global, options, engine, monitor, services } = surroundings;
  const limits = compileLimits({}, global.Limits, options.limits);
  const shared = {
    ...surroundings,
    limits,
    forwarding: { global, options, engine, monitor, findService: services.find },
  };
  const compiled: CompiledRoute[] = [];
  for (const [index, config] of configs.entries()) {
    yield;
    compiled.push(compileRoute(config, index, shared));
  }
  return compiled;
}

function compileRoute(config: RouteConfig, index: number, shared: Shared): CompiledRoute {
  const { global, options, connections, earlierAt } = shared;
  const limits =
    config.Limits === undefined ? shared.limits : compileLimits(config.Limits, global.Limits, options.limits);
  const connection = connections.settingsFor({
    connectTimeout: limits.connect,
    lifetime: effectiveHandler(config, global).lifetime,
    tls: tlsOf(config, global),
    acceptAnyCertificate: config.DangerousAcceptAnyServerCertificateValidator ?? false,
    allowedAddresses: shared.services.providerOf(config)?.allowedAddresses,
  });
  const { compiled: earlier, isSame = false } = earlierAt(index) ?? {};
  if (earlier !== undefined && isSame && earlier.connection === connection) {
    return earlier.route.id === idOf(config, index)
      ? earlier
      : { ...earlier, route: createRoute(config, { id: idOf(config, index) }, global) };
  }
  const template = parseUpstreamTemplate(config.UpstreamPathTemplate, config.UpstreamHeaderTemplates);
  const pipeline = compilePipeline(config, shared.parts, shared);
  const load = earlier?.load ?? { running: 0, clientless: 0, sockets: 0, list: undefined };
  const way = compileWay({ config, template, limits }, shared.forwarding);
  const { forward, sending } = compileForward({ config, way, connection, pipeline, memory: load }, shared.forwarding);
  return {
    ...way,
    route: createRoute(config, { id: idOf(config, index) }, global),
    template,
    forward,
    sending,
    pipeline,
    aggregate: undefined,
    connection,
    load,
    version: earlier !== undefined && isSame ? earlier.version : { isRetired: false },
  };
}

import { rememberCredentialNames } from "../secrets/credentials-of-schemes.ts";
import { maskValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { whenRejected } from "../when-rejected.ts";
import { aggregatesOf, type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { GlobalConfig } from "../config/sections.ts";
import { chooseCulture } from "../dotnet/culture.ts";
import { GatewayError } from "../errors.ts";
import type { CapabilitySurroundings } from "../capabilities/capability.ts";
import type { HealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import type { Logger } from "../logging/logger.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { RouteIndex } from "../routing/index/route-index.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { Engine } from "../forwarding/engines/engine.ts";
import type { Route } from "../route.ts";
import type { AnswerStore } from "../stores/answer-store.ts";
import type { StoreHolder } from "../stores/store-holder.ts";
import type { Steps } from "../time-slices.ts";
import { claimHeadersOf } from "../capabilities/claims/claim-headers.ts";
import { checkDeclaredMetadata } from "../capabilities/metadata/check-declared-metadata.ts";
import { pairRoutes } from "./compare-routes.ts";
import type { RouteChanges } from "./route-differences.ts";
import { compileAggregates } from "./compile-aggregates.ts";
import { prepareShared, type SharedParts } from "./compile-pipeline.ts";
import { createUnlistedRoutes, type UnlistedRoutes } from "./unlisted-routes.ts";
import { type Apart, createApart } from "./compile-own-pages.ts";
import type { CompiledRoute } from "./compiled-route.ts";
import { compileRoutes } from "./compile-routes.ts";
import { findServices, type ServiceRound } from "./find-services.ts";
import { indexRoutes } from "./index-routes.ts";
import type { Show } from "../capabilities/tls/connection-settings.ts";
import { type ConnectionRound, createConnectionRegistry } from "../capabilities/tls/connections-shared-by-routes.ts";

/** All that a configuration comes to; a reload replaces it as a whole. */
export type CompiledConfiguration = Readonly<{
  config: GatewayConfig;
  routes: ReadonlyMap<string, Route>;
  compiled: readonly CompiledRoute[];
  index: RouteIndex<CompiledRoute>;
  /** Only where clients may reach services that are not named. */
  unlisted: UnlistedRoutes | undefined;
  apart: Apart;
  /** What the routes share of each capability. */
  parts: SharedParts;
  /** The headers that some route sets from claims, and that no client may send. */
  claimHeaders: ReadonlySet<string> | undefined;
  /** How many requests the gateway takes at the same time. */
  concurrent: number;
  loadedAt: Date;
}>;

/** A configuration, compiled to take the place of the present one, and what that would change. */
export type NextConfiguration = Readonly<{
  present: CompiledConfiguration;
  changes: RouteChanges;
  connections: ConnectionRound;
  services: ServiceRound;
  /** Puts the store into force that the configuration asks for. */
  settleStore: () => void;
}>;

/** What all configurations of a gateway are compiled with. */
type CompilationSurroundings = Readonly<{
  options: GatewayOptions;
  engine: Engine;
  logger: Logger;
  stores: Pick<StoreHolder, "store" | "prepare">;
  changed: CapabilitySurroundings["changed"];
  discovery: Discovery;
  answers: AnswerStore;
  monitor: HealthMonitor;
}>;

/** Compiles a configuration and checks it against the options; what stayed as it was is taken from the one before. */
export type PrepareConfiguration = (config: GatewayConfig, before?: CompiledConfiguration) => Steps<NextConfiguration>;

/** Makes the function that compiles the configurations of one gateway. */
export function createPrepareConfiguration(surroundings: CompilationSurroundings): PrepareConfiguration {
  const { options, engine, logger, stores, answers, changed, discovery, monitor } = surroundings;
  const { store } = stores;
  const beginConnections = createConnectionRegistry();
  const now = options.now ?? (() => performance.now());

  return function* prepareConfiguration(config, before) {
    const global = requireParsed(config, before === undefined ? "createGateway" : "reload");
    const ownSchemes = Object.values(options.authentication ?? {}).map(({ reads = {} }) => reads);
    const settleStore = stores.prepare(global.Redis);
    rememberCredentialNames([config, ...config.routes, ...aggregatesOf(config)], ownSchemes);
    const connections = beginConnections(createShow(variableSecretsOf(config)));
    const { changes, earlierAt } = yield* comparedWith(before, config);
    const parts = prepareShared({ global, options, logger, store, answers, now, changed }, before?.parts);
    const services = yield* findServices(config.routes, { global, finders: options.discovery, discovery, connections });
    const given = { options, engine, logger, store, answers, now, changed, monitor };
    const shared = { ...given, global, connections, services, parts, earlierAt };
    const written = yield* compileRoutes(config.routes, shared);
    const aggregates = yield* compileAggregates(aggregatesOf(config), { ...shared, routes: written, before });
    const compiled = [...written, ...aggregates];
    const routes = new Map(compiled.map(({ route }) => [route.id, route]));
    yield* checkDeclaredMetadata(options.metadata ?? {}, [...routes.values()], logger);
    const index = yield* indexRoutes(compiled, logger);
    logCulture(config, before, logger);
    const told: unknown = options.responder?.started?.({ routes, logger });
    whenRejected(told, (error) => logger.error({ err: error }, "The responder's hook `started` failed."));
    const concurrent = global.Limits?.Concurrent ?? options.limits?.concurrent ?? Infinity;
    return {
      present: {
        ...{ config, routes, compiled, index, parts, concurrent, loadedAt: new Date() },
        claimHeaders: claimHeadersOf(config.routes),
        apart: createApart(shared),
        unlisted: yield* createUnlistedRoutes(config, {
          ...{ surroundings: shared, services: discovery.unlisted, findListed: services.find, before },
        }),
      },
      changes,
      connections,
      services,
      settleStore,
    };
  };
}

/** Made apart: whoever keeps it keeps nothing of the configuration but these values. */
function createShow(secrets: readonly string[]): Show {
  return (text) => maskValues(text, secrets);
}

type Compared = Readonly<{
  changes: RouteChanges;
  earlierAt: Parameters<typeof compileRoutes>[1]["earlierAt"];
}>;

const nothingBefore: Compared = { changes: { added: [], removed: [], changed: [] }, earlierAt: () => undefined };

function* comparedWith(before: CompiledConfiguration | undefined, config: GatewayConfig): Steps<Compared> {
  if (before === undefined) return nothingBefore;
  const { changes, earlier } = yield* pairRoutes(before.config, config);
  return {
    changes,
    earlierAt(index) {
      const found = earlier[index];
      return found && { compiled: before.compiled[found.index]!, isSame: found.isSame };
    },
  };
}

function requireParsed(config: GatewayConfig, taker: "createGateway" | "reload"): GlobalConfig {
  const global = globalConfigOf(config);
  if (global !== undefined) return global;
  throw new GatewayError("not-a-config", misuses[taker]);
}

const misuses = {
  createGateway:
    "createGateway() takes what parseConfig() or loadConfig() returns: createGateway(parseConfig({ Routes: [...] })) or " +
    'createGateway(await loadConfig("gateway.json")). Mount the result: app.use(createGateway(config)), not app.use(createGateway).',
  reload:
    "gateway.reload() takes what parseConfig() or loadConfig() returns: " +
    'await gateway.reload(await loadConfig("gateway.json")).',
} as const;

function logCulture(config: GatewayConfig, before: CompiledConfiguration | undefined, logger: Logger): void {
  const global = globalConfigOf(config)!;
  if (!hasNumbers(global) && !config.routes.some(hasNumbers)) return;
  const culture = cultureOf(global);
  if (before !== undefined && cultureOf(globalConfigOf(before.config)!) === culture) return;
  logger.info({ culture }, "Numbers in metadata are read as in this culture; the empty name is the invariant one.");
}

const digit = /\d/;

/** Whether metadata hold anything that a culture could read in its own way. */
function hasNumbers({ Metadata: metadata = {} }: Readonly<{ Metadata?: GlobalConfig["Metadata"] }>): boolean {
  return Object.values(metadata).some((text) => text !== null && digit.test(text));
}

function cultureOf({ MetadataOptions }: GlobalConfig): string {
  return chooseCulture(MetadataOptions?.CurrentCulture);
}

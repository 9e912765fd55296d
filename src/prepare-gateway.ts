import { checkDeclaredMetadata } from "./check-declared-metadata.ts";
import { type CompiledRoute, compileRoutes } from "./compile-routes.ts";
import { type GatewayConfig, globalConfigOf } from "./config/gateway-config.ts";
import type { GlobalConfig } from "./config/schema.ts";
import { defaultCulture } from "./culture.ts";
import { GatewayError } from "./errors.ts";
import { indexRoutes } from "./index-routes.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { chooseLogger, type Logger } from "./logger.ts";
import type { RouteIndex } from "./match/route-index.ts";
import type { GatewayOptions } from "./options.ts";
import { createHttpProxyMiddlewareEngine } from "./proxy/engines/http-proxy-middleware.ts";
import type { Route } from "./route.ts";

/** What a configuration and the options come to, before the first request. */
export type PreparedGateway = Readonly<{
  global: GlobalConfig;
  logger: Logger;
  routes: ReadonlyMap<string, Route>;
  index: RouteIndex<CompiledRoute>;
  lifecycle: Lifecycle;
}>;

/** Compiles and checks all that start-up can decide; throws before anything is half-started. */
export function prepareGateway(config: GatewayConfig, options: GatewayOptions): PreparedGateway {
  const global = requireParsed(config);
  const logger = chooseLogger(options.logger);
  const engine = options.engine ?? createHttpProxyMiddlewareEngine();
  const compiled = compileRoutes(config.routes, global, options, engine);
  const routes = new Map(compiled.map(({ route }) => [route.id, route]));
  checkDeclaredMetadata(options.metadata ?? {}, [...routes.values()], logger);
  const { CurrentCulture: culture = defaultCulture() } = global.MetadataOptions ?? {};
  logger.info({ culture }, "Numbers in metadata are read as in this culture; the empty name is the invariant one.");
  options.responder?.started?.({ routes, logger });
  return { global, logger, routes, index: indexRoutes(compiled, logger), lifecycle: createLifecycle(engine) };
}

function requireParsed(config: GatewayConfig): GlobalConfig {
  const global = globalConfigOf(config);
  if (global !== undefined) return global;
  throw new GatewayError(
    "not-a-config",
    "createGateway() takes what parseConfig() or loadConfig() returns: createGateway(parseConfig({ Routes: [...] })) or " +
      'createGateway(await loadConfig("gateway.json")). Mount the result: app.use(createGateway(config)), not app.use(createGateway).',
  );
}

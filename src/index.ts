export { compareRoutes, type RouteChanges } from "./generation/compare-routes.ts";
export type { GatewayConfig } from "./config/gateway-config.ts";
export { loadConfig } from "./config/load-config.ts";
export { parseConfig, type ParseOptions } from "./config/parse-config.ts";
export { Decimal } from "./dotnet/decimal.ts";
export {
  ConfigError,
  type ConfigProblem,
  type ErrorCode,
  GatewayError,
  MetadataError,
  OverloadError,
  RequestError,
  UpstreamError,
} from "./errors.ts";
export type {
  DelegatingHandler,
  GatewayContext,
  Headers,
  OutgoingRequest,
  Responder,
  ResponderStart,
  UpstreamResponse,
} from "./exchange.ts";
export { createGateway, type Gateway } from "./gateway.ts";
export type { GatewayHealth } from "./generation/health.ts";
export { type Inspector, inspector, type InspectorOptions } from "./inspector/inspector.ts";
export type { ReloadFailure } from "./generation/live.ts";
export type { Logger } from "./logger.ts";
export type { MetadataContract } from "./metadata/check-declared-metadata.ts";
export type { GetMetadata, JsonOptions, MetadataType, MetadataValue } from "./metadata/get-metadata.ts";
export { accessLog } from "./observe/access-log.ts";
export type { ObservedRequest, RequestObserver, RequestRecord } from "./observer.ts";
export type { GatewayLimits, GatewayOptions, TrustProxy } from "./options/options.ts";
export type { Engine, EngineAnswer, EngineContext } from "./proxy/engine.ts";
export type { ReloadOptions } from "./generation/reload.ts";
export { type HookedResponder, metadataHeader, type MetadataHeaderOptions } from "./respond/metadata-header.ts";
export { metadataResponder, type MetadataResponderOptions } from "./respond/metadata-responder.ts";
export { problemDetails, type ProblemDetailsOptions } from "./respond/problem-details.ts";
export type { GatewayHandler, GatewayLocals, Route } from "./route.ts";
export { type UpgradeApp, type UpgradeListener, upgradeThrough } from "./upgrade/upgrade-through.ts";
export { createAnswer } from "./answer/upstream-response.ts";
export { type ConfigWatcher, watchConfig, type WatchOptions } from "./watch/watch-config.ts";

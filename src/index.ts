import "./refuse-old-node.ts";

export { compareRoutes } from "./compiling/compare-routes.ts";
export type { RouteChanges } from "./compiling/route-differences.ts";
export type { GatewayConfig } from "./config/gateway-config.ts";
export { loadConfig } from "./config/load-config.ts";
export { parseConfig } from "./config/parse-config.ts";
export type { FileChoice } from "./config/files/file-choice-options.ts";
export type { LoadOptions } from "./config/files/read-sources.ts";
export type { ParseOptions } from "./config/parse-options.ts";
export { Decimal } from "./dotnet/decimal.ts";
export {
  ConfigError,
  type ConfigProblem,
  type ErrorCode,
  GatewayError,
  MetadataError,
  OverloadError,
  PartError,
  RequestError,
  UpstreamError,
} from "./errors.ts";
export type {
  DelegatingHandler,
  GatewayContext,
  GivenHeaders,
  Headers,
  OutgoingRequest,
  Responder,
  ResponderStart,
  UpstreamResponse,
} from "./delegating-handler.ts";
export type { AggregatePart, Aggregator } from "./aggregates/aggregator.ts";
export type { Authenticator, AuthenticatorContext } from "./capabilities/authentication/authenticator.ts";
export type { CredentialPlaces } from "./capabilities/authentication/credential-places.ts";
export {
  fromMiddleware,
  type IdentifyingMiddleware,
  type ToClaims,
} from "./capabilities/authentication/middleware/from-middleware.ts";
export { createGateway, type Gateway } from "./gateway.ts";
export type { GatewayHealth } from "./operating/health.ts";
export { type Inspector, inspector } from "./inspector/inspector.ts";
export type { InspectorOptions } from "./inspector/link-secret.ts";
export type { Instance } from "./hosts/host.ts";
export type { FoundInstance, InstanceFinder } from "./discovery/provider.ts";
export type { ReloadFailure } from "./compiling/live.ts";
export type { ClaimValue, Identity, RecognisedIdentity } from "./identity/identity.ts";
export type { OwnBalancer } from "./hosts/balancer.ts";
export type { Host } from "./hosts/host.ts";
export type { Logger } from "./logging/logger.ts";
export type { MetadataContract } from "./capabilities/metadata/check-declared-metadata.ts";
export type { GetMetadata, JsonOptions, MetadataType, MetadataValue } from "./capabilities/metadata/get-metadata.ts";
export { accessLog } from "./observing/access-log.ts";
export type { GatewayChange } from "./observing/gateway-changes.ts";
export type { ObservedGateway, ObservedHost } from "./observing/observed-gateway.ts";
export type {
  ObservedPart,
  ObservedRequest,
  PartRecord,
  RequestObserver,
  RequestRecord,
} from "./observing/observer.ts";
export type { GatewayLimits } from "./capabilities/limits/route-limits.ts";
export type { GatewayOptions, TrustProxy } from "./options/options.ts";
export type { Engine, EngineAnswer, EngineContext } from "./forwarding/engines/engine.ts";
export type { ReloadOptions } from "./compiling/live.ts";
export { type HookedResponder, metadataHeader, type MetadataHeaderOptions } from "./responders/metadata-header.ts";
export { metadataResponder, type MetadataResponderOptions } from "./responders/metadata-responder.ts";
export { problemDetails, type ProblemDetailsOptions } from "./responders/error-handler.ts";
export type { GatewayHandler, GatewayLocals, Route } from "./route.ts";
export { type UpgradeApp, type UpgradeListener, upgradeThrough } from "./capabilities/websockets/upgrade-through.ts";
export { type MemoryStore, memoryStore, type MemoryStoreOptions } from "./stores/memory-store.ts";
export type { Entries, Quota, Store, Take, Taken, Taking } from "./stores/store.ts";
export { createAnswer } from "./answers/upstream-response.ts";
export { type ConfigWatcher, watchConfig, type WatchOptions } from "./operating/watch-config.ts";

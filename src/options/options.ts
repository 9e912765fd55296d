import type { Aggregator } from "../aggregates/aggregator.ts";
import type { DelegatingHandler, GatewayContext, Responder } from "../delegating-handler.ts";
import type { Authenticator } from "../capabilities/authentication/authenticator.ts";
import type { InstanceFinder } from "../discovery/provider.ts";
import type { Logger } from "../logging/logger.ts";
import type { GatewayLimits } from "../capabilities/limits/route-limits.ts";
import type { MetadataContract } from "../capabilities/metadata/check-declared-metadata.ts";
import type { RequestObserver } from "../observing/observer.ts";
import type { Engine } from "../forwarding/engines/engine.ts";
import type { OwnBalancer } from "../hosts/balancer.ts";
import type { Store } from "../stores/store.ts";
import type { GatewayHandler } from "../route.ts";

/** Which peers may say who the client is: as Express's `trust proxy`. */
export type TrustProxy = boolean | number | string | readonly string[] | ((address: string, hop: number) => boolean);

/** What {@link createGateway} takes besides the configuration. */
export type GatewayOptions = Readonly<{
  /** Ordinary handlers, in order, between matching and proxying, for matched requests only. */
  middleware?: readonly GatewayHandler[];
  /** Delegating handlers around the call to the upstream, outermost first. */
  handlers?: readonly DelegatingHandler[];
  /** Schemes that routes name in `AuthenticationOptions`; they go before those of the configuration. */
  authentication?: Readonly<Record<string, Authenticator>>;
  /** Delegating handlers that routes name in `DelegatingHandlers`, behind those of all routes. */
  namedHandlers?: Readonly<Record<string, DelegatingHandler>>;
  /** Finders of instances that providers name in `Type`. */
  discovery?: Readonly<Record<string, InstanceFinder>>;
  /** Ways to choose among the hosts of a route, which `LoadBalancerOptions` name. */
  balancers?: Readonly<Record<string, OwnBalancer>>;
  /** Placeholders that header transforms may name; `undefined` is nothing, and so nothing is set. */
  headerPlaceholders?: Readonly<Record<string, (context: GatewayContext) => string | undefined>>;
  /** Where rate limits are counted and answers are cached: in the memory of the process by default. */
  store?: Store;
  /** Functions that make one answer of those of an aggregate's parts, by the names that `Aggregator` says. */
  aggregators?: Readonly<Record<string, Aggregator>>;
  responder?: Responder;
  /** Sends the requests; http-proxy-middleware by default. */
  engine?: Engine;
  /** The clock, in milliseconds, by which failing hosts are left alone; for tests. */
  now?: () => number;
  /** Watch every matched request: for access logs, metrics, traces. */
  observers?: readonly RequestObserver[];
  logger?: Logger | false;
  /** Whose `X-Forwarded-*` are believed; by default Express's setting where there is one, else nobody's. */
  trustProxy?: TrustProxy;
  limits?: GatewayLimits;
  /** Whether a `Via` header is added both ways. */
  via?: boolean;
  /** Origins whose pages may open WebSockets, e.g. `https://shop.example`; all by default. */
  allowedOrigins?: readonly string[];
  /** The metadata that routes may carry, checked at start-up. */
  metadata?: MetadataContract;
}>;

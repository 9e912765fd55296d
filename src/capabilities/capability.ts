import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { DelegatingHandler, OutgoingRequest, UpstreamResponse } from "../delegating-handler.ts";
import type { GatewayError } from "../errors.ts";
import type { MatchedExchange } from "../exchange/matched-exchange.ts";
import type { Balancer } from "../hosts/balancer.ts";
import type { BreakerState } from "../hosts/breaker.ts";
import type { HealthCheck } from "./health-checks/health-check.ts";
import type { Telling } from "./telling.ts";
import type { Breaker } from "../hosts/breaker.ts";
import type { HostMemory } from "../hosts/list-of-route.ts";
import type { MatchedTarget } from "../forwarding/resolve-path.ts";
import type { Answering } from "../forwarding/surround.ts";
import type { Logger } from "../logging/logger.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { AnswerStore } from "../stores/answer-store.ts";
import type { SharedStore } from "../stores/store-holder.ts";

/** What a whole configuration says, and what the gateway was made with. */
export type CapabilitySurroundings = Readonly<{
  global: GlobalConfig;
  options: GatewayOptions;
  logger: Logger;
  /** What all processes of the gateway share, over all reloads. */
  store: SharedStore;
  /** The clock; milliseconds. */
  now: () => number;
  /** Tells that a host is asked, or passed over, from now on; and that keys can be had, or not. */
  changed: (change: HostChange | KeysChange) => void;
  /** Where caches keep answers, over all reloads. */
  answers: AnswerStore;
}>;

/** Whether a host is asked has changed: for all routes, or for the one that remembers it. */
export type HostChange = Readonly<
  | { kind: "breaker"; name: string; state: BreakerState; before: BreakerState; route: HostMemory }
  | { kind: "health"; name: string; state: "up" | "down"; before: "up" | "down"; route?: undefined }
>;

/** Whether the keys can be had by which a scheme verifies tokens. */
export type KeysChange = Readonly<{
  kind: "keys";
  name: string;
  state: "there" | "away";
  before: "there" | "away";
  route?: undefined;
}>;

/** A host of a route whose failures are to be counted. */
export type HostPlace = Readonly<{
  origin: string;
  /** The breaker that the route had for the host before: its list of hosts has changed, or the route was reloaded. */
  earlier: Breaker | undefined;
  /** How long a call may keep others from trying the host out; milliseconds. */
  trialTime: number;
  route: HostMemory;
}>;

/** Finds the breaker of a host of a route. */
export type FindBreaker = (place: HostPlace) => Breaker;

/** Judges a matched request before the user's middleware: what comes back refuses it, now or later. */
export type Guard = (exchange: MatchedExchange) => GatewayError | undefined | Promise<GatewayError | undefined>;

/** Changes which path and query are asked downstream; throws what the request is refused for. */
export type ChangeTarget = (target: MatchedTarget, exchange: MatchedExchange) => MatchedTarget;

/** Changes a request that is about to be sent, before any delegating handler sees it; throws what it is refused for. */
export type ChangeRequest = (outgoing: OutgoingRequest, exchange: MatchedExchange) => void;

/** Sends a request on, for its exchange or for a stand-in of it that outlives the exchange. */
export type SendOn = (asker: MatchedExchange) => Answering;

/** Stands around what comes behind it on a request's way: sends it on, once, more often or never, and gives the answer. */
export type Around = (outgoing: OutgoingRequest, exchange: MatchedExchange, send: SendOn) => Answering;

/** Changes an answer behind all delegating handlers, before the responder sees it; its head is this exchange's own. */
export type ChangeAnswer = (answer: UpstreamResponse, exchange: MatchedExchange) => void;

/** What a capability does for one route, by the place on a request's way where it does it. */
export type RoutePart = Readonly<{
  guard?: Guard;
  /**
   * Whether the guard judges each single call, not only who asks: in an aggregate a part may be called several times for
   * one request, and with values that are not the client's.
   */
  judgesCalls?: true;
  changeTarget?: ChangeTarget;
  changeRequest?: ChangeRequest;
  /** Around the choice of a host, and all that comes behind it: the request names no host yet. */
  aroundHost?: Around;
  /** Delegating handlers of the route, behind those of all routes. */
  handlers?: readonly DelegatingHandler[];
  /** Around the sending, behind all delegating handlers. */
  aroundSending?: Around;
  changeAnswer?: ChangeAnswer;
  /** Chooses among the hosts that may be asked. */
  balancer?: Balancer;
  /** Keeps calls from hosts that fail. */
  breaker?: FindBreaker;
  /** How the hosts of the route are checked while no client asks. */
  healthCheck?: HealthCheck;
}>;

/** Something that a route can ask for besides being forwarded. */
export type Capability<Shared = unknown> = Readonly<{
  name: string;
  /** Prepares once for each configuration what its routes share; `earlier` is what a reload can take over. */
  prepare: (surroundings: CapabilitySurroundings, earlier: Shared | undefined) => Shared;
  /** The capability before it in the pipeline that prepares for both: routes do one thing in two places of their order. */
  sharesWith?: Capability;
  /** Puts into force what a reload has prepared in things that stay; nothing can fail here any more. */
  settle?: (shared: Shared) => void;
  /** What a route asks for; undefined where it asks for nothing, and nothing of it runs. */
  compile: (config: RouteConfig, shared: Shared, surroundings: CapabilitySurroundings) => RoutePart | undefined;
  /** How people are told what a route asks for; where several capabilities do one thing, the first one tells. */
  tells?: Telling;
}>;

/** Describes a capability; one that prepares nothing needs no `prepare`. What it shares is its own affair. */
export function defineCapability<Shared = undefined>(
  name: string,
  steps: Pick<Capability<Shared>, "compile"> &
    Partial<Pick<Capability<Shared>, "prepare" | "sharesWith" | "settle" | "tells">>,
): Capability {
  const capability: Capability<Shared> = { name, prepare: () => undefined as Shared, ...steps };
  return capability as unknown as Capability;
}

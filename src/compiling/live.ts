import type { GatewayConfig } from "../config/gateway-config.ts";
import type { Degraded } from "../observing/degraded.ts";
import type { RequestObserver } from "../observing/observer.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { AnswerStore } from "../stores/answer-store.ts";
import type { StoreHolder } from "../stores/store-holder.ts";
import type { CompiledConfiguration } from "./compiled-configuration.ts";
import type { RouteChanges } from "./route-differences.ts";

/** Whether new requests should be sent to a gateway. */
export type GatewayStatus = "starting" | "ready" | "closing";

/** How a gateway is doing, as it is joined with other processes and shown to users. */
export type GatewayCondition = Readonly<{
  /**
   * `starting` until it is known where the services run that the configuration names, for at most 5 seconds; `closing` from
   * the moment it was told to close: no new requests should be sent.
   */
  status: GatewayStatus;
  /** How many routes there are. */
  routes: number;
  /** Requests under way. */
  running: number;
  /** Open WebSockets. */
  sockets: number;
  /** When the present configuration came into force. */
  loadedAt: Date;
  /** Why the latest reload failed; undefined when it did not. */
  lastFailure: ReloadFailure | undefined;
  degraded: Degraded;
}>;

/** What of a gateway changes while it runs. A request reads the present configuration once, and so sees no other. */
export type Live = {
  present: CompiledConfiguration;
  /** Whether new requests should be sent; asked often, and so told without all else of the gateway's health. */
  readonly status: () => GatewayStatus;
  readonly condition: () => GatewayCondition;
  lastFailure: ReloadFailure | undefined;
  /** The latest reloads, the newest first. */
  reloads: readonly NotedReload[];
  /** Undefined, not empty, where there is no observer: then a request costs no more than this question. */
  observers: readonly RequestObserver[] | undefined;
  readonly options: GatewayOptions;
  /** Calls the listener when the gateway begins to close. */
  readonly onClose: (listener: () => void) => void;
  /** What outlives all configurations, for those who show how it is doing. */
  readonly mechanisms: Mechanisms;
  /** Resolves when the connection to a shared store was tried for the first time. */
  readonly storeBegun: () => Promise<unknown>;
  readonly prepareReload: PrepareReload;
  /** Throws cached answers away in this process. */
  readonly purge: Purge;
  /** Hears of answers that were thrown away here, so that other processes of the gateway do the same. */
  purged: ((answers: PurgedAnswers) => Promise<unknown>) | undefined;
};

/** Which cached answers are thrown away: those of a region, of a route by its id, of both, or all. */
export type PurgedAnswers = Readonly<{ region?: string | undefined; route?: string | undefined }>;

/** Throws cached answers away; what no route has is none. */
export type Purge = (answers?: PurgedAnswers) => Promise<void>;

/** What a reload may do. */
export type ReloadOptions = Readonly<{
  /** Whether the new configuration may have no routes; otherwise that is refused, as it is seldom meant. */
  allowNoRoutes?: boolean | undefined;
}>;

/** Does all of a reload that can fail; the function that comes back puts it into force. Nobody may reload in between. */
export type PrepareReload = (config: GatewayConfig, options?: ReloadOptions) => Promise<() => Promise<RouteChanges>>;

/** Why the latest reload left the configuration as it was. */
export type ReloadFailure = Readonly<{ at: Date; error: unknown }>;

/** A reload that was asked for: what it has changed, or why it has not. */
export type NotedReload = Readonly<{ at: Date; changes: RouteChanges }> | ReloadFailure;

/** Where counts and answers live, and who looks for services. */
type Mechanisms = Readonly<{
  store: Pick<StoreHolder, "place">;
  answers: Pick<AnswerStore, "amount">;
  discovery: Pick<Discovery, "watched">;
}>;

const mostReloads = 10;

/** Notes what came of a reload. */
export function noteReload(live: Live, reload: NotedReload): void {
  live.reloads = [reload, ...live.reloads].slice(0, mostReloads);
}

const lives = new WeakMap<object, Live>();

/** Remembers what of a gateway changes, for those who are handed the gateway. */
export function rememberLive(gateway: object, live: Live): void {
  lives.set(gateway, live);
}

/** What of a gateway changes while it runs; undefined for anything that `createGateway` did not return. */
export function liveOf(gateway: object): Live | undefined {
  return lives.get(gateway);
}

/** Adds an observer to a gateway that already runs; the function that comes back removes it. */
export function addObserver(live: Live, observer: RequestObserver): () => void {
  live.observers = [...(live.observers ?? []), observer];
  return function removeObserver() {
    const others = (live.observers ?? []).filter((one) => one !== observer);
    live.observers = others.length === 0 ? undefined : others;
  };
}

import { effectiveHandler } from "../capabilities/http-handler/effective-handler.ts";
import type { HealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import type { HostPlace } from "../capabilities/capability.ts";
import { createBalancer } from "../capabilities/load-balancing/round-robin-and-least-connection.ts";
import { stickinessOf } from "../capabilities/load-balancing/sticky-settings.ts";
import { retryTermsOf } from "../capabilities/retry/retry-terms.ts";
import { type BeginWait, createDeadlines } from "../unattended/deadlines.ts";
import { createSendUpgrade } from "../capabilities/websockets/send-upgrade.ts";
import type { RouteConfig } from "../config/sections.ts";
import type { ConnectionSettings } from "../capabilities/tls/connection-settings.ts";
import { isBuiltIn } from "../discovery/balancer-of.ts";
import type { MatchedExchange } from "../exchange/matched-exchange.ts";
import type { Engine } from "../forwarding/engines/engine.ts";
import type { ForwardSettings } from "../forwarding/forward-settings.ts";
import { createForward } from "../forwarding/forward.ts";
import type { Answering } from "../forwarding/surround.ts";
import { createConnectionPlaces } from "../forwarding/connection-places.ts";
import type { FindState } from "../hosts/list-hosts.ts";
import { createRouteHosts } from "../hosts/route-hosts.ts";
import type { HostMemory } from "../hosts/list-of-route.ts";
import { createRetry } from "../forwarding/retry-request.ts";
import { createSendRequest } from "../forwarding/send-request.ts";
import type { GatewayOptions } from "../options/options.ts";
import { answerLimitOf } from "../capabilities/timeouts/answer-limit.ts";
import type { RoutePipeline } from "./compile-pipeline.ts";
import type { RouteWay, WaySurroundings } from "./compile-way.ts";

/** How requests of a route go upstream. */
type Forward = (request: MatchedExchange) => Answering;

/** What of one route its sending is compiled from; its connection is settled at start-up, as certificates are read for it. */
type ForwardSources = Readonly<{
  config: RouteConfig;
  way: RouteWay;
  connection: ConnectionSettings;
  pipeline: RoutePipeline;
  memory: HostMemory;
}>;

/** What all routes of a gateway have in common on their way upstream. */
export type ForwardSurroundings = WaySurroundings &
  Readonly<{ options: GatewayOptions; engine: Engine; monitor: HealthMonitor }>;

/** The hosts of a route and how they are asked: one for all ways in which clients come to the route. */
type Sending = Pick<ForwardSettings, "hosts" | "send" | "followsRedirects"> &
  Readonly<{
    /** Begins a wait that lasts as long as an answer may take. */
    beginWait: BeginWait;
    /** How many connections a host has at the same time, where that is limited. */
    mostConnections: number | undefined;
  }>;

/** How requests of a route go upstream, and what of it an aggregate shares that asks the route. */
export type CompiledForward = Readonly<{ forward: Forward; sending: () => Sending }>;

/**
 * Compiles how requests of a route go upstream, when the first one does: the configuration was checked before, and of
 * ten thousand routes most are asked for rarely. `shared` is that of the route where an aggregate asks it.
 */
export function compileForward(
  sources: ForwardSources,
  surroundings: ForwardSurroundings,
  shared?: () => Sending,
): CompiledForward {
  let compiled: Forward | undefined;
  let compiledSending: Sending | undefined;
  const sending = shared ?? compileOwn;
  return { forward, sending };

  function forward(request: MatchedExchange): Answering {
    compiled ??= compile(sources, surroundings, sending);
    return compiled(request);
  }

  function compileOwn(): Sending {
    return (compiledSending ??= compileSending(sources, surroundings));
  }
}

/** A call that tries a host out ends by its time-out, which a busy process notices so much later; milliseconds. */
const lateness = 1_000;

function compileSending(
  { config, way, connection, pipeline, memory }: ForwardSources,
  { global, engine, monitor }: ForwardSurroundings,
): Sending {
  const { limits, upgradeRules } = way;
  const { hosts: source, scheme, balancer } = way.target();
  const { redirects, mostConnections } = effectiveHandler(config, global);
  const answerLimit = answerLimitOf(config, global);
  const place = { trialTime: answerLimit + lateness, route: memory };
  const findState = createFindState(pipeline, place, { connection, monitor });
  const builtIn = isBuiltIn(balancer) ? balancer : "NoLoadBalancer";
  const [own] = pipeline.balancers;
  const chooser = own ?? createBalancer(builtIn, stickinessOf(config, global));
  const hosts = createRouteHosts({ source, scheme, balancer: chooser, memory, findState });
  const createSend = upgradeRules === undefined ? createSendRequest : createSendUpgrade;
  const beginWait = createDeadlines(answerLimit);
  const send = createSend({
    engine,
    redirects,
    places: mostConnections === undefined ? undefined : createConnectionPlaces(mostConnections),
    connection,
    hosts,
    times: { answer: beginWait, upload: limits.upload },
  });
  const retryTerms = retryTermsOf(config);
  return {
    hosts,
    beginWait,
    mostConnections,
    followsRedirects: redirects !== undefined,
    send: retryTerms === undefined ? send : createRetry(send, retryTerms, hosts),
  };
}

function compile({ way, pipeline }: ForwardSources, { options }: ForwardSurroundings, sending: () => Sending): Forward {
  const { resolvePath, method, via } = way.target();
  const { handlers: named, targetChanges, requestChanges, aroundHost, aroundSending } = pipeline;
  return createForward<MatchedExchange>({
    resolvePath,
    ...sending(),
    hasResponder: options.responder !== undefined,
    // A handler that the route names runs at the place of its name only.
    handlers: [...(options.handlers ?? []).filter((one) => !named.includes(one)), ...named],
    targetChanges,
    requestChanges,
    aroundHost,
    aroundSending,
    method,
    bodyLimit: way.limits.body,
    via,
    compared: way.compared(),
  });
}

/** What is known of the hosts of a route, by its breakers and its checks; undefined where it has neither. */
function createFindState(
  { breakers, healthChecks }: RoutePipeline,
  { trialTime, route }: Pick<HostPlace, "trialTime" | "route">,
  { connection, monitor }: Readonly<{ connection: ConnectionSettings; monitor: HealthMonitor }>,
): FindState | undefined {
  const [check] = healthChecks;
  const [findBreaker] = breakers;
  if (findBreaker === undefined && check === undefined) return undefined;
  return function findState(origin, earlier) {
    return {
      health: check && monitor.healthOf({ origin, check, connection }),
      breaker: findBreaker?.({ origin, earlier: earlier?.breaker, trialTime, route }),
    };
  };
}

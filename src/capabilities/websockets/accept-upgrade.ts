import { GatewayError } from "../../errors.ts";
import type { GatewayContext, UpstreamResponse } from "../../delegating-handler.ts";
import { listenOnce } from "../../unattended/guarded.ts";
import { writeHead } from "../../answers/pass-through.ts";
import { atTime } from "../../unattended/at-time.ts";
import { type CloseCode, closeCodes } from "./closing-frame.ts";
import { openTunnel } from "./tunnel.ts";
import { type Cancellation, exchangeIsOver } from "../../cancellation.ts";
import type { RouteLimits, RouteLoad } from "../limits/route-limits.ts";
import type { UpgradeRequest } from "./upgrade-request.ts";

/** What of an exchange becomes a WebSocket. */
export type UpgradingExchange = Readonly<{
  context: GatewayContext;
  upgrade: UpgradeRequest | undefined;
  cancellation: Cancellation;
  compiled: Readonly<{ limits: RouteLimits; load: RouteLoad; version: SocketVersion }>;
  observation: Readonly<{ ended: () => void }> | undefined;
}>;

/** A route as it was when a WebSocket was opened: whether a reload has changed it since, and a lock of it. */
type SocketVersion = Readonly<{ isRetired: boolean; isLockedAnew?: boolean }>;

/** An open WebSocket among all that runs in a gateway; destroying it closes both connections. */
type OpenSocket = Readonly<{ destroy: () => void; version: SocketVersion }>;

/** Where open WebSockets are counted. */
export type SocketList = Readonly<Record<"begin" | "end", (socket: OpenSocket) => void>>;

/** How an exchange ends as far as it was a request, and what hears of a failure. */
type Endings = Readonly<{ untrack: () => void; fail: (error: unknown) => void }>;

/** Brings an upstream's 101 to the client and joins both. */
export type AcceptUpgrade = (answer: UpstreamResponse, exchange: UpgradingExchange, endings: Endings) => void;

const switchingProtocols = 101;

/** Whether what came back for an exchange, after the delegating handlers, makes it a WebSocket. */
export function isAccepted({ status }: UpstreamResponse, { upgrade }: Pick<UpgradingExchange, "upgrade">): boolean {
  return status === switchingProtocols && upgrade !== undefined;
}

/** Prepares the step from a request to a WebSocket. */
export function createAcceptUpgrade(lifecycle: SocketList, via = false): AcceptUpgrade {
  return function acceptUpgrade(answer, exchange, { untrack, fail }) {
    const { context, upgrade, compiled, cancellation } = exchange;
    if (upgrade?.upstream === undefined) throw acceptedAlone(context.route.id);
    const { client, head, upstream } = upgrade;
    writeHead(answer, { res: context.res, via, fail }, { connection: "Upgrade", upgrade: "websocket" });
    // Middleware may hold back the end, to save a session for instance: only then the client has its answer.
    listenOnce(context.res, "finish", open);
    context.res.end();

    function open(): void {
      const { limits, load, version } = compiled;
      const { idle } = limits;
      const ends = { client, head, upstream };
      const socket = openSocket(ends, { idle, endsAt: upgrade!.endsAt, load, version, cancellation, lifecycle });
      untrack();
      exchange.observation?.ended();
      // A reload may have taken the route away while the upstream was asked.
      if (version.isRetired) socket.destroy();
    }
  };
}

/** What an open WebSocket needs to know of its exchange. */
type SocketSettings = Pick<UpgradingExchange, "cancellation"> &
  Pick<UpgradingExchange["compiled"], "load" | "version"> &
  Readonly<{ idle: number | undefined; endsAt: number | undefined; lifecycle: SocketList }>;

/** A function of its own, so that an open WebSocket keeps nothing of the request that it was. */
function openSocket(
  ends: Parameters<typeof openTunnel>[0],
  { idle, endsAt, load, version, cancellation: { cancel }, lifecycle }: SocketSettings,
): OpenSocket {
  const tunnel = openTunnel(ends, { idle, closed });
  const socket = { version, destroy: () => tunnel.close(codeFor(version)) };
  const stopWaiting = endsAt && atTime(endsAt, () => tunnel.close(closeCodes.policyViolation));
  lifecycle.begin(socket);
  load.sockets += 1;
  return socket;

  function closed(): void {
    if (stopWaiting) stopWaiting();
    load.sockets -= 1;
    cancel(exchangeIsOver);
    lifecycle.end(socket);
  }
}

function codeFor({ isLockedAnew = false }: SocketVersion): CloseCode {
  return isLockedAnew ? closeCodes.policyViolation : closeCodes.goingAway;
}

function acceptedAlone(route: string): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `A delegating handler of route ${JSON.stringify(route)} answered an upgrade with 101, but no upstream did. ` +
      "Return what next() gives, or an answer with another status.",
  );
}

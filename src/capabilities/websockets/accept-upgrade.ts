import { GatewayError } from "../../errors.ts";
import type { GatewayContext, UpstreamResponse } from "../../delegating-handler.ts";
import { listenOnce } from "../../unattended/guarded.ts";
import { writeHead } from "../../answers/pass-through.ts";
import { openTunnel, type Tunnel } from "./tunnel.ts";
import { type Cancellation, exchangeIsOver } from "../../cancellation.ts";
import type { RouteLimits, RouteLoad } from "../limits/route-limits.ts";
import type { UpgradeRequest } from "./upgrade-request.ts";

/** What of an exchange becomes a WebSocket. */
export type UpgradingExchange = Readonly<{
  context: GatewayContext;
  upgrade: UpgradeRequest | undefined;
  cancellation: Cancellation;
  compiled: Readonly<{ limits: RouteLimits; load: RouteLoad; version: Readonly<{ isRetired: boolean }> }>;
  observation: Readonly<{ ended: () => void }> | undefined;
}>;

/** An open WebSocket among all that runs in a gateway. */
type OpenSocket = Tunnel & Readonly<{ version: Readonly<{ isRetired: boolean }> }>;

/** Where open WebSockets are counted. */
export type SocketList = Readonly<{ begin: (socket: OpenSocket) => void; end: (socket: Tunnel) => void }>;

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
      const closed = createEnd(lifecycle, compiled.load, cancellation);
      const tunnel = openTunnel({ client, head, upstream }, { idle: compiled.limits.idle, closed });
      lifecycle.begin(Object.assign(tunnel, { version: compiled.version }));
      compiled.load.sockets += 1;
      untrack();
      exchange.observation?.ended();
      // A reload may have taken the route away while the upstream was asked.
      if (compiled.version.isRetired) tunnel.destroy();
    }
  };
}

/** A function of its own, so that an open WebSocket keeps nothing of the request that it was. */
function createEnd(lifecycle: SocketList, load: RouteLoad, { cancel }: Cancellation): (tunnel: Tunnel) => void {
  return function endTunnel(tunnel) {
    load.sockets -= 1;
    cancel(exchangeIsOver);
    lifecycle.end(tunnel);
  };
}

function acceptedAlone(route: string): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `A delegating handler of route ${JSON.stringify(route)} answered an upgrade with 101, but no upstream did. ` +
      "Return what next() gives, or an answer with another status.",
  );
}

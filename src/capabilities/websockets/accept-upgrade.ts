import { GatewayError } from "../../errors.ts";
import type { GatewayContext, UpstreamResponse } from "../../delegating-handler.ts";
import { listenOnce } from "../../unattended/guarded.ts";
import { writeHead } from "../../answers/pass-through.ts";
import type { Cancellation } from "../../cancellation.ts";
import type { RouteLimits, RouteLoad } from "../limits/route-limits.ts";
import { openSocket, type SocketList } from "./open-socket.ts";
import type { UpgradeRequest } from "./upgrade-request.ts";
import type { SocketVersion } from "./close-code.ts";

/** What of an exchange becomes a WebSocket. */
type UpgradingExchange = Readonly<{
  context: GatewayContext;
  upgrade: UpgradeRequest | undefined;
  cancellation: Cancellation;
  compiled: Readonly<{ limits: RouteLimits; load: RouteLoad; version: SocketVersion }>;
  observation: Readonly<{ ended: () => void }> | undefined;
}>;

/** How an exchange ends as far as it was a request, and what hears of a failure. */
type Endings = Readonly<{ untrack: () => void; fail: (error: unknown) => void }>;

/** Brings an upstream's 101 to the client and joins both. */
type AcceptUpgrade = (answer: UpstreamResponse, exchange: UpgradingExchange, endings: Endings) => void;

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

function acceptedAlone(route: string): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `A delegating handler of route ${JSON.stringify(route)} answered an upgrade with 101, but no upstream did. ` +
      "Return what next() gives, or an answer with another status.",
  );
}

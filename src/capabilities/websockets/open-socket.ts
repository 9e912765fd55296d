import { type Cancellation, exchangeIsOver } from "../../cancellation.ts";
import { atTime } from "../../unattended/at-time.ts";
import type { RouteLoad } from "../limits/route-limits.ts";
import { openTunnel } from "./tunnel.ts";
import { closeCodes, codeFor, type SocketVersion } from "./close-code.ts";

/** An open WebSocket among all that runs in a gateway; destroying it closes both connections. */
type OpenSocket = Readonly<{ destroy: () => void; version: SocketVersion }>;

/** Where open WebSockets are counted. */
export type SocketList = Readonly<Record<"begin" | "end", (socket: OpenSocket) => void>>;

/** What an open WebSocket needs to know of its exchange. */
type SocketSettings = Readonly<{
  cancellation: Cancellation;
  load: RouteLoad;
  version: SocketVersion;
  /** Milliseconds without data after which it ends. */
  idle: number | undefined;
  /** When its client may not have it any longer; milliseconds since 1970. */
  endsAt: number | undefined;
  lifecycle: SocketList;
}>;

/**
 * Joins both ends until one of them, the idle time, the end of its time or a destroyer closes them. It gets no exchange, so
 * that an open WebSocket keeps nothing of the request that it was.
 */
export function openSocket(
  ends: Parameters<typeof openTunnel>[0],
  { idle, endsAt, load, version, cancellation: { cancel }, lifecycle }: SocketSettings,
): OpenSocket {
  const tunnel = openTunnel(ends, { idle, closed });
  const socket = { version, destroy: () => tunnel.close(codeFor(version)) };
  const stopWaiting = endsAt === undefined ? undefined : atTime(endsAt, () => tunnel.close(closeCodes.policyViolation));
  lifecycle.begin(socket);
  load.sockets += 1;
  return socket;

  function closed(): void {
    stopWaiting?.();
    load.sockets -= 1;
    cancel(exchangeIsOver);
    lifecycle.end(socket);
  }
}

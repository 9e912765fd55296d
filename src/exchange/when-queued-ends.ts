import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { listenOnce } from "../unattended/guarded.ts";

const queued = Symbol("responses that wait behind another");

type QueuingSocket = Socket & { [queued]: Set<() => void> | undefined };

/**
 * Calls back when the connection of a response ends that waits for the answers to earlier requests; for any other it does
 * nothing. Node tells such a response nothing if an upgrade request that came behind it has taken the connection over.
 * One listener does for all responses of a connection, however many there are.
 */
export function whenQueuedEnds({ socket: own, req }: ServerResponse, callback: () => void): (() => void) | undefined {
  if (own !== null) return undefined;
  const callbacks = ((req.socket as QueuingSocket)[queued] ??= listenToEnd(req.socket));
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

/**
 * Whether nobody tells any more that a response is over: Node has done so, or the connection of one that waits for the
 * answers to earlier requests is gone.
 */
export function isOver({ closed, socket: own, req }: ServerResponse): boolean {
  return closed || (own === null && req.socket.destroyed);
}

function listenToEnd(socket: Socket): Set<() => void> {
  const callbacks = new Set<() => void>();
  listenOnce(socket, "close", () => callbacks.forEach((callback) => callback()));
  return callbacks;
}

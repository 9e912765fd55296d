import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { heedErrors, ignoreErrors, listen, listenOnce, rightAfter } from "../../unattended/guarded.ts";
import { holdEarly } from "./hold-early.ts";
import { closeGently } from "./close-gently.ts";

/** A response on a bare socket, and the way to leave the socket as it was found. */
export type UpgradeResponse = Readonly<{ res: ServerResponse; release: () => void }>;

const switchingProtocols = 101;

/**
 * Makes the response to an upgrade request: Node hands over a bare socket, which nobody answers, drains or closes.
 * Undefined for a request that came before an earlier one on its connection was answered: that connection is cut.
 */
export function createUpgradeResponse(req: IncomingMessage, socket: Socket): UpgradeResponse | undefined {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  try {
    res.assignSocket(socket);
  } catch {
    // The earlier answer is still to come, so that there is no order in which both could be written.
    ignoreErrors(socket);
    socket.destroy();
    return undefined;
  }
  // A connection that fails also closes, and "close" is what everybody listens to.
  ignoreErrors(socket);
  const draining = listen(socket, "drain", () => res.emit("drain"));
  // A client that ends its side without having got an answer has left; what waits for it learns so by "close".
  const takeHeld = holdEarly(socket);
  const leaving = listenOnce(socket, "end", () => socket.destroy());
  listenOnce(res, "finish", finish);
  return { res, release };

  function release(): void {
    res.detachSocket(socket);
    heedErrors(socket);
    socket.off("drain", draining).off("end", leaving);
    const early = takeHeld();
    if (early.length > 0 && !socket.destroyed) socket.unshift(early);
  }

  /** A connection that has switched belongs to the tunnel; any other ends with its answer. */
  function finish(): void {
    release();
    if (res.statusCode !== switchingProtocols) closeGently(socket);
    rightAfter(emitClose);
  }

  /** As Node's own server does after the last byte; what is written later goes nowhere. */
  function emitClose(): void {
    res.destroyed = true;
    res.emit("close");
  }
}

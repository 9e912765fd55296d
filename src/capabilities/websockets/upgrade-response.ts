import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ignoreErrors, listen, listenOnce, rightAfter } from "../../unattended/guarded.ts";
import { holdEarly, putBack } from "./hold-early.ts";
import { tellDrained } from "./tell-drained.ts";
import { closeGently } from "./close-gently.ts";

/** A response on a bare socket, and the way to leave the socket as it was found. */
type UpgradeResponse = Readonly<{ res: ServerResponse; release: () => void }>;

const switchingProtocols = 101;

/**
 * Makes the response to an upgrade request: Node hands over a bare socket, which nobody answers, drains or closes.
 * Undefined for a request that came before an earlier one on its connection was answered: that connection is cut.
 * Where other listeners might still take the connection, nothing is read from it, and nothing written once one has.
 */
export function createUpgradeResponse(
  req: IncomingMessage,
  socket: Socket,
  { isAlone }: Readonly<{ isAlone: boolean }>,
): UpgradeResponse | undefined {
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
  const draining = listen(socket, "drain", () => tellDrained(res));
  // A client that ends its side without having got an answer has left; what waits for it learns so by "close".
  const takeHeld = isAlone ? holdEarly(socket, () => socket.destroy()) : nothingHeld;
  const leaving = listenOnce(socket, "end", () => {
    if (isAlone || !isTaken(socket)) socket.destroy();
    else leave();
  });
  listenOnce(res, "finish", finish);
  if (!isAlone) leaveWhenTaken(res, socket, leave);
  return { res, release };

  function leave(): void {
    release();
    // Node's `end` has begun to collect what it writes.
    if (socket.writableCorked > 0) socket.uncork();
    rightAfter(emitClose);
  }

  function release(): void {
    res.detachSocket(socket);
    // Errors stay ignored: a client may reset the connection before somebody takes it, or where nobody does.
    socket.off("drain", draining).off("end", leaving);
    const early = takeHeld();
    if (!socket.destroyed) putBack(socket, early);
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

function nothingHeld(): readonly Buffer[] {
  return [];
}

/** Whether other code has begun to read from a connection: nobody does before there is an answer. */
export function isTaken(socket: Socket): boolean {
  return socket.destroyed || socket.readableFlowing !== null;
}

/** Writes nothing into a connection that another listener of the server has taken while the app was busy. */
function leaveWhenTaken(res: ServerResponse, socket: Socket, leave: () => void): void {
  const writeHead = Reflect.get<ServerResponse, "writeHead">(res, "writeHead");
  res.writeHead = function writeHeadUnlessTaken(...head: unknown[]): ServerResponse {
    if (res.socket !== null && isTaken(socket)) leave();
    return Reflect.apply(writeHead, res, head) as ServerResponse;
  };
}

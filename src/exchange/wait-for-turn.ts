import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { cutWhenSilent } from "../answers/cut-when-silent.ts";
import { readFraming } from "../bodies/request-framing.ts";
import { takeInFewPieces } from "../bodies/take-in-few-pieces.ts";
import { inPresentContext } from "../in-present-context.ts";
import { listenOnce, rightAfter } from "../unattended/guarded.ts";

/** What Node notes at a connection: the response that has it at the moment (seen in 22 to 24). */
type ServedSocket = Readonly<{ _httpMessage?: object | null }>;

/** Whether a request came behind others on its connection that are still to be answered. */
export function isBehindOthers({ socket }: IncomingMessage, { socket: own }: ServerResponse): boolean {
  return own === null && ((socket as ServedSocket)._httpMessage ?? null) !== null;
}

/**
 * Calls back when all requests that came before this one on its connection have their answers; never where the connection
 * ends before. A request that is begun earlier takes a place and keeps its answer for as long as those before it go on: with
 * an event stream and sixty requests behind it a single connection would keep a route from everybody else.
 */
export function waitForTurn(req: IncomingMessage, res: ServerResponse, callback: () => void): void {
  const run = inPresentContext();
  const endWatch = readFraming(req).kind === "none" ? undefined : keepUnread(req);
  listenOnce(res, "socket", () => {
    endWatch?.();
    // Node has still to write what it has kept of the answer, such as its own `100 Continue`.
    rightAfter(() => {
      // Of an answer that middleware has given up, nobody else ends the connection.
      if (res.destroyed) req.socket.destroy();
      else run(callback);
    }, res);
  });
}

const watches = new WeakMap<Socket, () => void>();

/**
 * Lets a body wait with its request: in little memory, and so that a client is cut that may have left while it does. Node
 * reads nothing more from a connection once a body fills its buffer, so that of several the last one counts.
 */
function keepUnread(req: IncomingMessage): () => void {
  const { socket } = req;
  takeInFewPieces(req);
  watches.get(socket)?.();
  const end = cutWhenSilent(socket, { isUnread: () => req.readableLength >= req.readableHighWaterMark });
  watches.set(socket, end);
  return end;
}

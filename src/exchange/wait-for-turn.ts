import type { IncomingMessage, ServerResponse } from "node:http";
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
  listenOnce(res, "socket", () => {
    // Node has still to write what it has kept of the answer, such as its own `100 Continue`.
    rightAfter(() => {
      // Of an answer that middleware has given up, nobody else ends the connection.
      if (res.destroyed) req.socket.destroy();
      else run(callback);
    }, res);
  });
}

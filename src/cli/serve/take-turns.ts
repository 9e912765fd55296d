import type { IncomingMessage, ServerResponse } from "node:http";
import { guard, nextTurn } from "../../unattended/guarded.ts";

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

const mostPerTurn = 16;
const mostKept = 4_096;

/**
 * Lets requests wait that came behind others on their connection: Node reads thousands of them from one packet, and calls
 * the app with all of them before any other client has its turn. A request that is alone goes at once.
 */
export function takeTurns(app: Answer): Answer {
  let waiting: Parameters<Answer>[] = [];
  let begun = 0;

  return function answerInTurn(req, res) {
    // A response has no connection as long as an earlier one is still to be written there.
    if (res.socket !== null) {
      app(req, res);
      return;
    }
    if (waiting.length === 0) nextTurn(beginSome);
    waiting.push([req, res]);
  };

  function beginSome(): void {
    const due = waiting.slice(begun, begun + mostPerTurn);
    begun += due.length;
    const isLast = begun === waiting.length;
    if (isLast || begun >= mostKept) {
      waiting = waiting.slice(begun);
      begun = 0;
    }
    if (!isLast) nextTurn(beginSome);
    for (const [req, res] of due) guard(() => begin(req, res), req.socket)();
  }

  /** A client that has left meanwhile asks for nothing. */
  function begin(req: IncomingMessage, res: ServerResponse): void {
    if (!req.socket.destroyed) app(req, res);
  }
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { isBehindOthers, waitForTurn } from "../../exchange/wait-for-turn.ts";
import { fewPerTurn } from "../../unattended/few-per-turn.ts";

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Lets requests wait that came behind others on their connection, also those that no gateway takes: Node reads thousands of
 * them from one packet, and calls the app with all of them before any other client has its turn. A request that is alone
 * goes at once; of one connection the app has one at a time. Whatever answers requests of a server is to be wrapped by the
 * same function.
 */
export function createPipelinedTurns(silence?: number): (answer: Answer) => Answer {
  return function takeTurns(answer) {
    return function answerInTurn(req, res) {
      if (isBehindOthers(req, res)) waitForTurn(req, res, () => fewPerTurn(answerUnlessGone, req.socket), silence);
      else answer(req, res);

      /** A client that has left meanwhile asks for nothing. */
      function answerUnlessGone(): void {
        if (!req.socket.destroyed) answer(req, res);
      }
    };
  };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { fewPerTurn } from "../../unattended/few-per-turn.ts";
import { guard, listen, listenOnce } from "../../unattended/guarded.ts";

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** The requests of a connection that came behind others which are still to be answered. */
type Line = {
  readonly socket: Socket;
  readonly waiting: (() => void)[];
  /** How many of them the app has, unanswered. */
  open: number;
  /** The next of them has its turn soon. */
  isDue: boolean;
  /** Nothing more is read from the connection. */
  isHeld: boolean;
};

const mostOpen = 64;
const mostWaiting = 32;
// A packet holds up to 2,400 requests, each of which Node makes some kilobytes of before anybody may let it wait.
const mostInAll = 8_192;
let waitingInAll = 0;

/**
 * Lets requests wait that came behind others on their connection: Node reads thousands of them from one packet, and calls
 * the app with all of them before any other client has its turn. A request that is alone goes at once. Of one connection
 * the app has a limited number at a time; while more than a few wait, nothing more is read from there. Where too many wait
 * of all connections together, one with more than a few is cut. Whatever answers requests of a server is to be wrapped by
 * the same function.
 */
export function createPipelinedTurns(): (answer: Answer) => Answer {
  const lines = new WeakMap<Socket, Line>();
  return takeTurns;

  function takeTurns(answer: Answer): Answer {
    return function answerInTurn(req, res) {
      // A response has no connection as long as an earlier one is still to be written there.
      if (res.socket !== null) {
        answer(req, res);
        return;
      }
      if (req.socket.destroyed) return;
      const line = lines.get(req.socket) ?? createLine(req.socket);
      lines.set(req.socket, line);
      line.waiting.push(guard(() => begin(line, answer, req, res), req.socket));
      waitingInAll += 1;
      hold(line);
      if (line.isHeld && waitingInAll > mostInAll) line.socket.destroy();
      else lineUp(line);
    };
  }
}

/** Lines take turns: one request of each connection, and then the next one of each. */
function lineUp(line: Line): void {
  if (line.isDue || line.waiting.length === 0 || line.open >= mostOpen) return;
  line.isDue = true;
  fewPerTurn(() => {
    line.isDue = false;
    const next = line.waiting.shift();
    // None waits any more where the client has left meanwhile.
    if (next === undefined) return;
    waitingInAll -= 1;
    next();
    hold(line);
    lineUp(line);
  });
}

/** A client that has left meanwhile asks for nothing. */
function begin(line: Line, answer: Answer, req: IncomingMessage, res: ServerResponse): void {
  if (req.socket.destroyed) return;
  line.open += 1;
  listenOnce(res, "close", () => {
    line.open -= 1;
    lineUp(line);
  });
  answer(req, res);
}

function createLine(socket: Socket): Line {
  const line: Line = { socket, waiting: [], open: 0, isDue: false, isHeld: false };
  // Whoever reads the body of an earlier request resumes the connection.
  listen(socket, "resume", () => {
    if (line.isHeld) socket.pause();
  });
  listenOnce(socket, "close", () => {
    waitingInAll -= line.waiting.length;
    line.waiting.length = 0;
  });
  return line;
}

function hold(line: Line): void {
  const isLong = line.waiting.length >= mostWaiting;
  if (isLong === line.isHeld) return;
  line.isHeld = isLong;
  if (isLong) line.socket.pause();
  else line.socket.resume();
}

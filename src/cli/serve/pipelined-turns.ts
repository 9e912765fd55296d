import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { guard, listen, listenOnce, nextTurn } from "../../unattended/guarded.ts";

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** The requests of a connection that came behind others which are still to be answered. */
type Line = {
  readonly socket: Socket;
  readonly waiting: Parameters<Answer>[];
  /** How many of them the app has, unanswered. */
  open: number;
  /** Nothing more is read from the connection. */
  isHeld: boolean;
};

const mostPerTurn = 16;
const mostOpen = 64;
const mostWaiting = 32;

/**
 * Lets requests wait that came behind others on their connection: Node reads thousands of them from one packet, and calls
 * the app with all of them before any other client has its turn. A request that is alone goes at once. Of one connection
 * the app has a limited number at a time; while more than a few wait, nothing more is read from there.
 */
export function takeTurns(app: Answer): Answer {
  const lines = new WeakMap<Socket, Line>();
  const lineUp = createTurns(beginNext);

  return function answerInTurn(req, res) {
    // A response has no connection as long as an earlier one is still to be written there.
    if (res.socket !== null) {
      app(req, res);
      return;
    }
    const line = lines.get(req.socket) ?? createLine(req.socket);
    lines.set(req.socket, line);
    line.waiting.push([req, res]);
    hold(line);
    lineUp(line);
  };

  function beginNext(line: Line): void {
    const [req, res] = line.waiting.shift()!;
    guard(() => begin(line, req, res), req.socket)();
    hold(line);
    lineUp(line);
  }

  /** A client that has left meanwhile asks for nothing. */
  function begin(line: Line, req: IncomingMessage, res: ServerResponse): void {
    if (req.socket.destroyed) return;
    line.open += 1;
    listenOnce(res, "close", () => {
      line.open -= 1;
      lineUp(line);
    });
    app(req, res);
  }
}

/** Some requests in each turn of the event loop: one of each connection, and then the next one of each. */
function createTurns(beginNext: (line: Line) => void): (line: Line) => void {
  const due = new Set<Line>();
  let hasTurn = false;

  return function lineUp(line) {
    if (line.waiting.length === 0 || line.open >= mostOpen) return;
    due.add(line);
    if (!hasTurn) nextTurn(beginSome);
    hasTurn = true;
  };

  function beginSome(): void {
    let left = mostPerTurn;
    // A line that is due again comes last in the set.
    for (const line of due) {
      due.delete(line);
      beginNext(line);
      left -= 1;
      if (left === 0) break;
    }
    hasTurn = due.size > 0;
    if (hasTurn) nextTurn(beginSome);
  }
}

function createLine(socket: Socket): Line {
  const line: Line = { socket, waiting: [], open: 0, isHeld: false };
  // Whoever reads the body of an earlier request resumes the connection.
  listen(socket, "resume", () => {
    if (line.isHeld) socket.pause();
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

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { cutWhenSilent, longestSilence } from "../../answers/cut-when-silent.ts";
import { fewPerTurn } from "../../unattended/few-per-turn.ts";
import { guard, listen, listenOnce } from "../../unattended/guarded.ts";

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** A request that came behind others, and the length of its head. */
type Turn = Readonly<{ answer: Answer; req: IncomingMessage; res: ServerResponse; bytes: number }>;

/** So many requests, and the length of all their heads. */
type Amount = { count: number; bytes: number };

/** The requests of a connection that came behind others which are still to be answered. */
type Line = {
  readonly socket: Socket;
  readonly longestSilence: number;
  readonly waiting: Turn[];
  readonly amountWaiting: Amount;
  /** Those of them that the app has, unanswered. */
  readonly amountOpen: Amount;
  /** The next of them has its turn soon. */
  isDue: boolean;
  /** Nothing more is read from the connection. */
  isHeld: boolean;
  /** Ends the watch for a client that leaves meanwhile. */
  endWatch: (() => void) | undefined;
};

const mostOpen = 64;
const mostWaiting = 32;
// Half of what one head may have: what clients send in pipelines takes hardly more memory than what they send by themselves.
const mostBytes = 8_192;
// A packet holds up to 2,400 requests, each of which Node makes some kilobytes of before anybody may let it wait.
const mostInAll = 8_192;
let waitingInAll = 0;

/**
 * Lets requests wait that came behind others on their connection: Node reads thousands of them from one packet, and calls
 * the app with all of them before any other client has its turn. A request that is alone goes at once. Of one connection
 * the app has a limited number at a time, of long heads one or two; while more than a few wait, nothing more is read
 * from there, and one whose answers stand still meanwhile is cut. Where too many wait of all connections together, one with more than a few is cut. Whatever answers requests
 * of a server is to be wrapped by the same function.
 */
export function createPipelinedTurns(silence = longestSilence): (answer: Answer) => Answer {
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
      const line = lines.get(req.socket) ?? createLine(req.socket, silence);
      lines.set(req.socket, line);
      const turn = { answer, req, res, bytes: lengthOfHead(req) };
      line.waiting.push(turn);
      add(line.amountWaiting, turn);
      waitingInAll += 1;
      hold(line);
      if (line.isHeld && waitingInAll > mostInAll) line.socket.destroy();
      else lineUp(line);
    };
  }
}

/** Lines take turns: one request of each connection, and then the next one of each. */
function lineUp(line: Line): void {
  if (line.isDue || line.waiting.length === 0 || isMuch(line.amountOpen, mostOpen)) return;
  line.isDue = true;
  fewPerTurn(() => {
    line.isDue = false;
    const next = line.waiting.shift();
    // None waits any more where the client has left meanwhile.
    if (next === undefined) return;
    waitingInAll -= 1;
    subtract(line.amountWaiting, next);
    guard(() => begin(line, next), line.socket)();
    hold(line);
    lineUp(line);
  });
}

/** A client that has left meanwhile asks for nothing. */
function begin(line: Line, turn: Turn): void {
  const { answer, req, res } = turn;
  if (req.socket.destroyed) return;
  add(line.amountOpen, turn);
  listenOnce(res, "close", () => {
    subtract(line.amountOpen, turn);
    lineUp(line);
  });
  answer(req, res);
}

function lengthOfHead({ url = "", rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((length, text) => length + text.length, url.length);
}

function isMuch({ count, bytes }: Amount, most: number): boolean {
  return count >= most || bytes >= mostBytes;
}

function add(amount: Amount, { bytes }: Turn): void {
  amount.count += 1;
  amount.bytes += bytes;
}

function subtract(amount: Amount, { bytes }: Turn): void {
  amount.count -= 1;
  amount.bytes -= bytes;
}

function createLine(socket: Socket, longestSilence: number): Line {
  const [amountWaiting, amountOpen] = [
    { count: 0, bytes: 0 },
    { count: 0, bytes: 0 },
  ];
  const line: Line = {
    socket,
    longestSilence,
    waiting: [],
    amountWaiting,
    amountOpen,
    isDue: false,
    isHeld: false,
    endWatch: undefined,
  };
  // Whoever reads the body of an earlier request resumes the connection.
  listen(socket, "resume", () => {
    if (line.isHeld) socket.pause();
  });
  listenOnce(socket, "close", () => {
    line.endWatch?.();
    waitingInAll -= line.waiting.length;
    line.waiting.length = 0;
  });
  return line;
}

function hold(line: Line): void {
  const isLong = isMuch(line.amountWaiting, mostWaiting);
  if (isLong === line.isHeld) return;
  line.isHeld = isLong;
  if (isLong) {
    line.socket.pause();
    line.endWatch = cutWhenSilent(line.socket, line.longestSilence);
  } else {
    line.endWatch?.();
    line.socket.resume();
  }
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { cutWhenSilent, longestSilence } from "../../answers/cut-when-silent.ts";
import { isBehindOthers, waitForTurn } from "../../exchange/wait-for-turn.ts";
import { fewPerTurn } from "../../unattended/few-per-turn.ts";
import { listen, listenOnce } from "../../unattended/guarded.ts";

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** The requests of a connection that came behind others which are still to be answered. */
type Line = {
  readonly socket: Socket;
  readonly longestSilence: number;
  /** How many wait, and the length of all their heads and bodies. */
  count: number;
  headBytes: number;
  bodyBytes: number;
  /** Nothing more is read from the connection. */
  isHeld: boolean;
  /** Ends the watch for a client that leaves meanwhile. */
  endWatch: (() => void) | undefined;
};

const mostWaiting = 32;
// Half of what one head may have: what clients send in pipelines takes hardly more memory than what they send by themselves.
const mostHeadBytes = 8_192;
// As much as Node reads of one body that nobody reads.
const mostBodyBytes = 65_536;
// A packet holds up to 2,400 requests, each of which Node makes some kilobytes of before anybody may let it wait.
const mostInAll = 8_192;
let waitingInAll = 0;

/**
 * Lets requests wait that came behind others on their connection: Node reads thousands of them from one packet, and calls
 * the app with all of them before any other client has its turn. A request that is alone goes at once; of one connection
 * the app has one at a time. While more than a few wait, nothing more is read from there, and one whose answers stand still
 * meanwhile is cut. Where too many wait of all connections together, one with more than a few is cut. Whatever answers
 * requests of a server is to be wrapped by the same function.
 */
export function createPipelinedTurns(silence = longestSilence): (answer: Answer) => Answer {
  const lines = new WeakMap<Socket, Line>();
  return takeTurns;

  function takeTurns(answer: Answer): Answer {
    return function answerInTurn(req, res) {
      if (!isBehindOthers(req, res)) {
        answer(req, res);
        return;
      }
      if (req.socket.destroyed) return;
      const line = lines.get(req.socket) ?? createLine(req.socket, silence);
      lines.set(req.socket, line);
      const lengths = { headBytes: lengthOfHead(req), bodyBytes: lengthOfBody(req) };
      add(line, 1, lengths);
      if (line.isHeld && waitingInAll > mostInAll) line.socket.destroy();
      else waitForTurn(req, res, () => fewPerTurn(begin, line.socket));

      /** A client that has left meanwhile asks for nothing. */
      function begin(): void {
        if (req.socket.destroyed) return;
        add(line, -1, lengths);
        answer(req, res);
      }
    };
  }
}

function lengthOfHead({ url = "", rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((length, text) => length + text.length, url.length);
}

/** Nobody knows how long a body in chunks is. */
function lengthOfBody({ headers }: IncomingMessage): number {
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : mostBodyBytes;
}

function createLine(socket: Socket, longestSilence: number): Line {
  const line: Line = {
    socket,
    longestSilence,
    count: 0,
    headBytes: 0,
    bodyBytes: 0,
    isHeld: false,
    endWatch: undefined,
  };
  // Whoever reads the body of an earlier request resumes the connection.
  listen(socket, "resume", () => {
    if (line.isHeld) socket.pause();
  });
  listenOnce(socket, "close", () => {
    line.endWatch?.();
    waitingInAll -= line.count;
    line.count = 0;
  });
  return line;
}

/** Counts requests that wait, or do so no more: where many do, nothing more is read. */
function add(line: Line, count: 1 | -1, { headBytes, bodyBytes }: Pick<Line, "headBytes" | "bodyBytes">): void {
  line.count += count;
  line.headBytes += count * headBytes;
  line.bodyBytes += count * bodyBytes;
  waitingInAll += count;
  const isLong = line.count >= mostWaiting || line.headBytes >= mostHeadBytes || line.bodyBytes >= mostBodyBytes;
  if (isLong === line.isHeld) return;
  line.isHeld = isLong;
  if (isLong) {
    line.socket.pause();
    line.endWatch = cutWhenSilent(line.socket, { milliseconds: line.longestSilence });
  } else {
    line.endWatch?.();
    line.socket.resume();
  }
}

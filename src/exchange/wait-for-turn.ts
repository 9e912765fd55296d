import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { cutWhenSilent, longestSilence } from "../answers/cut-when-silent.ts";
import { stopWhilePaused } from "../bodies/pieces/stop-while-paused.ts";
import { takeInFewPieces } from "../bodies/pieces/take-in-few-pieces.ts";
import { inPresentContext } from "../in-present-context.ts";
import { listen, listenOnce, rightAfter } from "../unattended/guarded.ts";

/** What Node notes at a connection: the response that has it at the moment, null between two (seen in 22 to 24). */
type ServedSocket = Readonly<{ _httpMessage?: object | null }>;

/** What requests take while they wait. */
type Amount = Readonly<{ headBytes: number; bodyBytes: number }>;

/** The requests of a connection that came behind others which are still to be answered. */
type Line = {
  readonly socket: Socket;
  readonly silence: number;
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

const lines = new WeakMap<Socket, Line>();

/**
 * Whether requests before this one on its connection are still to be answered. Behind the last answer of a connection Node
 * gives it to none of those that wait.
 */
export function isBehindOthers(
  { socket }: IncomingMessage,
  { socket: own, writableFinished }: ServerResponse,
): boolean {
  return own === null && !writableFinished && (socket as ServedSocket)._httpMessage !== undefined;
}

/**
 * Begins a request behind others when these have their answers, and never where the connection ends before. One that is
 * begun earlier takes a place and keeps its answer for as long as those before it go on: with an event stream and sixty
 * requests behind it a single connection would keep a route from everybody else. While more than a few wait, or a long body
 * does, nothing more is read from the connection, and it is cut where its answers stand still meanwhile; where too many wait
 * of all connections together, those with more than a few are cut.
 */
export function waitForTurn(
  req: IncomingMessage,
  res: ServerResponse,
  begin: () => void,
  silence = longestSilence,
): void {
  const { socket } = req;
  if (socket.destroyed) return;
  const line = lines.get(socket) ?? createLine(socket, silence);
  const amount = amountOf(req);
  if (amount.bodyBytes > 0) takeInFewPieces(req);
  add(line, 1, amount);
  if (line.isHeld && waitingInAll > mostInAll) {
    socket.destroy();
    return;
  }
  const run = inPresentContext();
  listenOnce(res, "socket", () => {
    // Node has still to write what it has kept of the answer, such as its own `100 Continue`.
    rightAfter(() => {
      if (socket.destroyed) return;
      add(line, -1, amount);
      // Of an answer that middleware has given up, nobody else ends the connection.
      if (res.destroyed) socket.destroy();
      else run(begin);
    }, res);
  });
}

function amountOf({ url = "", headers, rawHeaders }: IncomingMessage): Amount {
  const headBytes = rawHeaders.reduce((length, text) => length + text.length, url.length);
  // Nobody knows how long a body in chunks is.
  const isInChunks = headers["transfer-encoding"] !== undefined;
  return { headBytes, bodyBytes: isInChunks ? mostBodyBytes : Number(headers["content-length"] ?? 0) };
}

function createLine(socket: Socket, silence: number): Line {
  const line = { socket, silence, count: 0, headBytes: 0, bodyBytes: 0, isHeld: false, endWatch: undefined } as Line;
  lines.set(socket, line);
  stopWhilePaused(socket);
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

/** Counts a request that waits, or does so no more: where many do, nothing more is read. */
function add(line: Line, count: 1 | -1, { headBytes, bodyBytes }: Amount): void {
  line.count += count;
  line.headBytes += count * headBytes;
  line.bodyBytes += count * bodyBytes;
  waitingInAll += count;
  const { socket, silence } = line;
  const isLong = line.count >= mostWaiting || line.headBytes >= mostHeadBytes || line.bodyBytes >= mostBodyBytes;
  if (isLong === line.isHeld) return;
  line.isHeld = isLong;
  if (isLong) {
    socket.pause();
    line.endWatch = cutWhenSilent(socket, silence);
  } else {
    line.endWatch?.();
    socket.resume();
  }
}

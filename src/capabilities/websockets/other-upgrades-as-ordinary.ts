import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerError } from "../../answers/answer-error.ts";
import { mayLackFields, tooManyFields } from "../../headers/too-many-fields.ts";
import { cutWhenSilent } from "../../answers/cut-when-silent.ts";
import { inPresentContext } from "../../in-present-context.ts";
import { fewPerTurn } from "../../unattended/few-per-turn.ts";
import { heedErrors, ignoreErrors, listen, listenOnce } from "../../unattended/guarded.ts";
import { awaitsPiece } from "./awaits-piece.ts";
import { holdEarly, keepUnread, putBack } from "./hold-early.ts";
import { tellDrained } from "./tell-drained.ts";
import { createUpgradeResponse } from "./upgrade-response.ts";

/** What Node's servers keep on their connections (seen in 20 to 24). */
type ServedSocket = Socket &
  Readonly<{
    server: Server;
    _httpMessage?: ServerResponse | null;
    _handle?: { reading: boolean; readStop: () => void } | null;
  }>;

type ReadConnection = (this: Server, socket: Socket) => void;

/**
 * Hands the connection of a request for an upgrade that is none of ours back to Node's parser, as if no upgrade had been
 * asked for: the parser that found the request also finds its body and what comes behind it, and the connection is kept.
 * A server's `shouldUpgradeCallback` would do, but with it Node 24.21 never reads what a client has sent right behind.
 */
export function answerAsOrdinary(req: IncomingMessage, connection: Socket, head: Buffer): void {
  const socket = connection as ServedSocket;
  // One of those left out may have said how the body is framed.
  if (mayLackFields(req)) refuse(req, socket);
  else readAgain(req, socket, head);
}

function refuse(req: IncomingMessage, socket: Socket): void {
  const response = createUpgradeResponse(req, socket, { isAlone: true });
  if (response === undefined) return;
  answerError(tooManyFields(), req, response.res);
}

/**
 * Each of the requests in a packet may ask for an upgrade, and is read by a parser of its own: these are begun a few in a
 * turn, and what comes behind is copied for none of them.
 */
function readAgain(req: IncomingMessage, socket: ServedSocket, head: Buffer): void {
  putBack(socket, [Buffer.from(headWithoutUpgrade(req), "latin1"), head]);
  const letRead = keepUnread(socket);
  // A parser runs for whom it was made, with all requests that come after: the earlier answer may end for anybody.
  const run = inPresentContext();
  const draining = listen(socket, "drain", () => {
    if (socket._httpMessage) tellDrained(socket._httpMessage);
  });
  ignoreErrors(socket);
  fewPerTurn(readWhenIdle, socket);

  function readWhenIdle(): void {
    heedErrors(socket);
    socket.off("drain", draining);
    letRead();
    whenIdle(socket, () => run(read));
  }

  function read(): void {
    findReadConnection().call(socket.server, socket);
    if (socket.readableLength >= socket.readableHighWaterMark) readNoMoreYet(socket);
  }
}

/**
 * A parser begins to read with its first piece, however much is there already: a client that sends on and on would have as
 * much of it read with each of its requests. Who takes what is there reads on by itself, unless a piece was asked for before:
 * that one may come, and more is read then only where there is room.
 */
function readNoMoreYet(socket: ServedSocket): void {
  listenOnce(socket, "resume", () => {
    const { _handle: handle } = socket;
    if (handle?.reading !== true || awaitsPiece(socket)) return;
    handle.reading = false;
    handle.readStop();
  });
}

/**
 * Answers leave in the order of their requests: those to earlier ones on the connection come first. Node has let go of the
 * connection by then, so that nobody else tells the earlier answer that it may go on, or notices that the client leaves.
 */
function whenIdle(socket: ServedSocket, begin: () => void): void {
  const { _httpMessage: earlier } = socket;
  if (socket.destroyed) return;
  // The earlier parser has set the time-out of an idle connection.
  socket.setTimeout(0);
  if (earlier === undefined || earlier === null) {
    begin();
    return;
  }
  let endWatch: (() => void) | undefined;
  const takeHeld = holdEarly(socket, () => {
    socket.pause();
    endWatch ??= cutWhenSilent(socket);
  });
  ignoreErrors(socket);
  const attached = {
    drain: listen(socket, "drain", () => tellDrained(earlier)),
    end: listenOnce(socket, "end", () => socket.destroy()),
  };
  listenOnce(earlier, "close", () => {
    for (const [event, listener] of Object.entries(attached)) socket.off(event, listener);
    heedErrors(socket);
    endWatch?.();
    const held = takeHeld();
    if (!socket.destroyed) putBack(socket, held);
    whenIdle(socket, begin);
  });
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let lines = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() !== "upgrade") lines += `${rawHeaders[index]}:${rawHeaders[index + 1]}\r\n`;
  }
  return `${lines}\r\n`;
}

let readConnection: ReadConnection | undefined;

/** What every server of node:http does with a connection; its "connection" event would also reach the user's listeners. */
function findReadConnection(): ReadConnection {
  readConnection ??= createServer().listeners("connection")[0] as ReadConnection;
  return readConnection;
}

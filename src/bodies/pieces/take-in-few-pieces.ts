import { IncomingMessage } from "node:http";
import { createFewPieces, type FewPieces, mostPlain, shortLength } from "./few-pieces.ts";
import { isAtParser } from "./is-at-parser.ts";
import { stopWhilePaused } from "./stop-while-paused.ts";
import { giveBackConnection } from "../../give-back-connection.ts";
import { bytesOfBody, type Counted } from "../../bytes-of-body.ts";
import { type Hearing, hearPiece, unheard } from "../../unheard-bytes.ts";

const shortPieces = Symbol("shortPieces");
const pieces = Symbol("pieces");

type Taken = IncomingMessage & Hearing & Counted & { [shortPieces]: number; [pieces]: FewPieces | undefined };

/** Whether nothing but what gathers pieces here stands between a message and those of the parser. */
export function isPushedDirectly({ push }: Readonly<{ push: unknown }>): boolean {
  return push === Reflect.get(IncomingMessage.prototype, "push") || push === pushInFewPieces;
}

/** Lets a message give its body in few pieces, in however many chunks it comes. */
export function takeInFewPieces(message: IncomingMessage): void {
  if (Object.hasOwn(message, pieces) || !isPushedDirectly(message) || !isAtParser(message)) return;
  // All messages share these functions: to make them anew costs more than to send a small body on.
  const taken = message as Taken & { _dump: () => void };
  taken[shortPieces] = 0;
  taken[bytesOfBody] = 0;
  taken[pieces] = undefined;
  taken[unheard] = 0;
  taken.push = pushInFewPieces;
  taken._dump = throwRestAway;
}

/** What nobody has read by the time of the answer: Node would throw it away unseen, as fast as it comes. */
function throwRestAway(this: IncomingMessage): void {
  this.removeAllListeners("data").resume();
}

function pushInFewPieces(this: Taken, piece: unknown, encoding?: BufferEncoding): boolean {
  if (!Buffer.isBuffer(piece)) {
    this[pieces]?.flush();
    return pushOn(this, piece, encoding);
  }
  this[bytesOfBody] += piece.length;
  hearPiece(this, piece);
  if (this[pieces] !== undefined) return this[pieces].take(piece);
  if (piece.length < shortLength) {
    this[shortPieces] += 1;
    if (this[shortPieces] > mostPlain) this[pieces] = createPieces(this);
  }
  return pushOn(this, piece, encoding);
}

function pushOn(message: IncomingMessage, piece: unknown, encoding?: BufferEncoding): boolean {
  return IncomingMessage.prototype.push.call(message, piece, encoding);
}

function createPieces(message: IncomingMessage): FewPieces {
  // Code that aborts a pipe takes the connection off the message while the parser is at its body.
  giveBackConnection(message);
  const { socket } = message;
  stopWhilePaused(socket);
  const few = createFewPieces({
    pushOn: (piece) => message.destroyed || pushOn(message, piece),
    pause: () => socket.pause(),
    hangsOn: message,
  });
  const destroy = message.destroy.bind(message);
  const read = message._read.bind(message);
  Object.assign(message, { destroy: destroyBehindPieces, _read: readUnlessHeld });
  return few;

  /** Node breaks a message off by an error, behind what came before. */
  function destroyBehindPieces(error?: Error): IncomingMessage {
    if (error !== undefined) few.flush();
    return destroy(error);
  }

  /** Whoever asks for more lets the parser go on, which was told not to. */
  function readUnlessHeld(size: number): void {
    read(size);
    if (few.isHeld() && isAtParser(message)) socket.pause();
  }
}

import type { Socket } from "node:net";
import { gatherPieces } from "../../bodies/pieces/gather-pieces.ts";
import { listen } from "../../unattended/guarded.ts";
import { awaitsPiece } from "./awaits-piece.ts";

/** What Node reads a connection by (seen in 20 to 24). */
type HandledSocket = Socket & Readonly<{ _handle?: Readonly<{ reading: boolean }> | null }>;

/** What a client may send before it is its turn, besides what has been read already. */
const mostHeld = 65_536;
const mostInAll = 262_144;
const mostPieces = 8;

/**
 * Reads what a client sends before anybody wants it: unread, it would hide that the client leaves. What comes first may
 * have no end: `heldEnough` cuts or pauses the connection. The function that comes back ends that, and gives what has come
 * in; the next listener finds the connection as Node hands one over.
 */
export function holdEarly(socket: Socket, heldEnough: () => void): () => readonly Buffer[] {
  const held = gatherPieces();
  let room = Math.min(mostHeld + socket.readableLength, mostInAll);
  const holding = listen(socket, "data", hold);
  readIfStopped(socket);
  return function takeHeld() {
    socket.off("data", holding);
    awaitReader(socket);
    const pieces = held.all();
    // Few large pieces are not worth a copy.
    return pieces.length > mostPieces ? [held.take()] : pieces;
  };

  function hold(piece: Buffer): void {
    held.add(piece);
    room -= piece.length;
    if (room < 0) heldEnough();
  }
}

/**
 * Node's parser stops a connection whose client takes no answers, and may hand it over like that: a stream that had asked for
 * a piece before would wait for it for ever.
 */
function readIfStopped(socket: Socket): void {
  const { _handle: handle } = socket as HandledSocket;
  if (handle?.reading === false && awaitsPiece(socket)) socket._read(socket.readableHighWaterMark);
}

/**
 * Keeps what a connection brings unread while it has no reader, whoever sets it flowing meanwhile: whoever reads the body of
 * an earlier request does, and what it brought then would be lost. The function that comes back ends that.
 */
export function keepUnread(socket: Socket): () => void {
  socket.pause();
  const pausing = listen(socket, "resume", () => socket.pause());
  return function letRead() {
    socket.off("resume", pausing);
    awaitReader(socket);
  };
}

/** Leaves a connection as Node hands one over: its next listener sets it flowing. */
function awaitReader(socket: Socket): void {
  socket.pause();
  Object.assign(socket, { readableFlowing: null });
}

/** Lets the next reader of a connection find these pieces before all others. */
export function putBack(socket: Socket, pieces: readonly Buffer[]): void {
  for (const piece of pieces.toReversed()) socket.unshift(piece);
}

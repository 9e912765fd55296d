import { type GatewayError, OverloadError, RequestError } from "../errors.ts";
import { createByteRoom } from "./byte-room.ts";

/** A request for which nothing is sent any more once there was no room for a copy. */
export type Refusable = { refusal: GatewayError | undefined };

const mebibyte = 1_024 * 1_024;
const bytesOfOne = 128 * mebibyte;
const roomOfAll = createByteRoom(256 * mebibyte);

/** So much a copy may take for nothing: whoever fills the room keeps out nobody whose body is as short as most. */
const bytesForNothing = 4_096;

/** Gives back the room of copies that are kept no more. */
export const giveRoomBack = roomOfAll.giveBack;

/** Takes room for a copy of so many bytes, and gives how many are to be given back; undefined where there is none. */
export type TakeRoom = (bytes: number) => number | undefined;

/**
 * Makes what takes room for the copies of one request. User code reads and sets a body as any property, where nothing may be
 * thrown: where there is no room, nothing is sent any more for the whole request.
 */
export function createTakeRoom(all: Refusable): TakeRoom {
  // None of it is given back: what was copied has taken its time.
  const roomOfOne = createByteRoom(bytesOfOne);
  return function takeRoom(bytes) {
    if (bytes <= bytesForNothing) return 0;
    if (!roomOfOne.take(bytes)) all.refusal ??= tooManyMembers();
    else if (roomOfAll.take(bytes)) return bytes;
    else all.refusal ??= tooManyCopies();
    return undefined;
  };
}

/** Copies of bytes that all parts send, for the handlers of one.*/
type BytesOfHandlers = Readonly<{ own: (bytes: Buffer) => Buffer; drop: () => void; end: () => void }>;

/** Makes the copies that handlers read as any property: where there is no room, nothing is sent for the parts behind. */
export function createBytesOfHandlers(all: Refusable): BytesOfHandlers {
  let held = 0;
  let isOver = false;
  return { own, drop, end };

  function own(bytes: Buffer): Buffer {
    const { length } = bytes;
    if (!isOver && length > bytesForNothing) {
      if (roomOfAll.take(length)) held += length;
      else all.refusal ??= tooManyCopies();
    }
    return Buffer.from(bytes);
  }

  function drop(): void {
    roomOfAll.giveBack(held);
    held = 0;
  }

  function end(): void {
    isOver = true;
    drop();
  }
}

function tooManyMembers(): RequestError {
  const message =
    "The body of the request has too many members for all calls of the aggregate to have a copy of their own.";
  return new RequestError("body-too-large", message);
}

function tooManyCopies(): OverloadError {
  const message = "Too many copies of long bodies are kept for calls of aggregates.";
  return new OverloadError("overloaded", message, { headers: { "retry-after": "1" } });
}

import { type GatewayError, OverloadError, RequestError } from "../../errors.ts";
import { createByteRoom } from "../pieces/byte-room.ts";

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
    if (bytes <= bytesForNothing || roomOfOne.take(bytes)) return takeOfAll(all, bytes);
    all.refusal ??= tooManyMembers();
    return undefined;
  };
}

function takeOfAll(all: Refusable, bytes: number): number | undefined {
  if (bytes <= bytesForNothing) return 0;
  if (roomOfAll.take(bytes)) return bytes;
  all.refusal ??= tooManyCopies();
  return undefined;
}

/** Copies bytes that all parts send, for handlers of one: they may change them where they are. */
export type OwnBytes = (bytes: Buffer) => Buffer;

type BytesOfHandlers = Readonly<{ own: OwnBytes; drop: () => void; end: () => void }>;

/** Makes the copies that handlers read as any property: where there is no room, nothing is sent for the parts behind. */
export function createBytesOfHandlers(all: Refusable): BytesOfHandlers {
  let held = 0;
  let isOver = false;
  return { own, drop, end };

  function own(bytes: Buffer): Buffer {
    if (!isOver) held += takeOfAll(all, bytes.length) ?? 0;
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

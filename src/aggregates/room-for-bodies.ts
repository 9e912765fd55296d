import type { Socket } from "node:net";
import { type ByteRoom, createByteRoom } from "../bodies/pieces/byte-room.ts";
import { OverloadError } from "../errors.ts";
import { createStillClients, type StillClients } from "./still-clients.ts";

/** The request of an aggregate, as those see it who hold bodies of its parts. */
export type HeldFor = Readonly<{
  /** Calls back when the request is over. */
  onEnd: (listener: () => void) => void;
  /** Ends the request, whose answer has not begun, with an error. */
  refuse: (reason: Error) => void;
  /** Cuts off a client that takes nothing of its answer. */
  cut: () => void;
}>;

/** The bytes that are held for one request. */
export type HeldBytes = Pick<ByteRoom, "giveBack"> &
  Readonly<{
    /** Notes bytes that are held already; false where no more of them should follow. */
    take: (bytes: number) => boolean;
    /** Gives back all but so many. */
    shrinkTo: (bytes: number) => void;
    /** From now on the request is not refused: what there is no room for stays in its connection. */
    answered: () => void;
    /** Throws what the request has been refused with. */
    throwRefusal: () => void;
  }>;

/** The room in which a process holds bodies of parts, of all aggregates together. */
export type RoomForBodies = Readonly<{ begin: (whole: HeldFor, socket: Socket) => HeldBytes }>;

/** How many bytes there are room for, how many of each request count for nothing, and how long a client may stand still. */
type RoomBounds = Readonly<{ mostBytes: number; bytesForNothing: number; longestStill: number }>;

/**
 * Makes a room that nobody waits for, as a request might wait for itself. Where it is full, the client is cut off that has
 * stood still the longest; where none has, the request is refused that asks for more.
 */
export function createRoomForBodies({ mostBytes, bytesForNothing, longestStill }: RoomBounds): RoomForBodies {
  const room = createByteRoom(mostBytes);
  const still = createStillClients(longestStill);
  return { begin: (whole, socket) => createHeldBytes({ whole, socket }, { room, still, bytesForNothing }) };
}

const mebibyte = 1_024 * 1_024;

/** The room of this process. */
export const roomForBodies = createRoomForBodies({
  mostBytes: 256 * mebibyte,
  bytesForNothing: mebibyte / 4,
  longestStill: 5_000,
});

type Owner = Readonly<{ whole: HeldFor; socket: Socket }>;
type Shared = Readonly<{ room: ByteRoom; still: StillClients; bytesForNothing: number }>;

function createHeldBytes({ whole, socket }: Owner, { room, still, bytesForNothing }: Shared): HeldBytes {
  let [held, taken] = [0, 0];
  let unwatch: (() => void) | undefined;
  let isKnown = false;
  let [isAnswered, isOver] = [false, false];
  let refusal: OverloadError | undefined;
  return { take, giveBack, shrinkTo, answered: () => void (isAnswered = true), throwRefusal };

  function take(bytes: number): boolean {
    held += bytes;
    if (held <= bytesForNothing) return true;
    if (!isOver && takeRoom(held - bytesForNothing - taken)) return true;
    if (!isOver && !isAnswered) whole.refuse((refusal ??= noRoom()));
    return false;
  }

  function takeRoom(bytes: number): boolean {
    while (!room.has(bytes)) if (!still.cutLongest()) return false;
    // It may have been the one that was cut.
    if (isOver) return false;
    room.take(bytes);
    taken += bytes;
    unwatch ??= still.watch(socket, whole.cut);
    if (!isKnown) whole.onEnd(end);
    isKnown = true;
    return true;
  }

  function giveBack(bytes: number): void {
    held -= bytes;
    giveRoomBack(taken - Math.max(0, held - bytesForNothing));
  }

  function giveRoomBack(bytes: number): void {
    if (bytes <= 0) return;
    room.giveBack(bytes);
    taken -= bytes;
    if (taken > 0) return;
    unwatch?.();
    unwatch = undefined;
  }

  function shrinkTo(bytes: number): void {
    if (held > bytes) giveBack(held - bytes);
  }

  function end(): void {
    isOver = true;
    giveRoomBack(taken);
  }

  function throwRefusal(): void {
    if (refusal !== undefined) throw refusal;
  }
}

function noRoom(): OverloadError {
  const message = "Too much of the answers of parts is kept for clients of aggregates.";
  return new OverloadError("overloaded", message, { headers: { "retry-after": "1" } });
}

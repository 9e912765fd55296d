import { OverloadError, RequestError } from "../errors.ts";
import { createFewPerTurn } from "../unattended/few-per-turn.ts";
import { type ByteRoom, createByteRoom } from "./byte-room.ts";
import { bytesOfCopy, copyMembers, haveSameMembers } from "./copy-members.ts";
import type { Framing } from "./request-framing.ts";
import type { SharedValue } from "./write-once.ts";

/** A parsed body as it is sent; `shared` where it is the one of all parts. */
export type BodyToSend = Readonly<{ value: unknown; shared: SharedValue | undefined }>;

/** The parsed body of a request as one call of an aggregate's part has it: a copy as soon as user code reads it. */
export type PartBody = Readonly<{
  get: () => unknown;
  set: (value: unknown) => void;
  toSend: () => BodyToSend;
  /** Lets all parts have what the body is now, and tells it; what it becomes is for this one alone. */
  share: () => unknown;
  /** The middleware of the call is done: a copy that it has only read is dropped. */
  admitted: () => void;
  /** So are its handlers, for which a copy was made that nobody sends. */
  sent: () => void;
  /** Drops whatever the call has for itself. */
  end: () => void;
}>;

/** The parsed body of a request as the calls of an aggregate's parts have it. */
export type PartBodies = Readonly<{
  /** Begins with a call; `value` is what the request has. */
  begin: (value: unknown) => PartBody;
  /** Whether a parser that has set this has yet to fill it with what the client has sent. */
  isToBeFilled: (value: unknown) => boolean;
  /** Waits for a turn of the event loop in which no other long body is copied or written. */
  turn: () => Promise<void>;
}>;

const mebibyte = 1_024 * 1_024;
const bytesOfOne = 128 * mebibyte;
const roomOfAll = createByteRoom(256 * mebibyte);

const longBody = 16_384;
const longestEmpty = "{}".length;

const oneLongPerTurn = createFewPerTurn(1);

/** Prepares the parsed body of a request for the calls of an aggregate's parts, of which there may be a hundred. */
export function createPartBodies(framing: Framing): PartBodies {
  // None of it is given back: what was copied has taken its time.
  const roomOfOne = createByteRoom(bytesOfOne);
  const all: { shared: SharedValue } = { shared: { value: undefined, written: undefined } };
  return {
    begin(value) {
      if (!Object.is(value, all.shared.value)) all.shared = { value, written: undefined };
      return createPartBody(all, roomOfOne);
    },
    isToBeFilled: (value) => mayBeLongerThan(longestEmpty, framing) && isEmpty(value),
    async turn() {
      const isLong = typeof all.shared.value === "object" && mayBeLongerThan(longBody, framing);
      if (isLong) await new Promise<void>((resolve) => oneLongPerTurn(resolve));
    },
  };
}

function createPartBody(all: { shared: SharedValue }, roomOfOne: ByteRoom): PartBody {
  let held: Readonly<{ value: unknown; bytes: number }> | undefined;
  let isAdmitted = false;
  let isChanged = false;
  let isOver = false;
  return { get, set, toSend, share, admitted, sent, end };

  function get(): unknown {
    if (held !== undefined) return held.value;
    const { value } = all.shared;
    // What lies deeper is not copied, and may be changed.
    if (!isAdmitted) all.shared.written = undefined;
    if (isOver) return copyMembers(value);
    return hold(bytesOfCopy(value), () => copyMembers(value));
  }

  function set(value: unknown): void {
    if (held === undefined || held.value !== value) hold(bytesOfCopy(value), () => value);
  }

  function hold(bytes: number, make: () => unknown): unknown {
    drop();
    if (!isOver) takeRoom(roomOfOne, bytes);
    held = { value: make(), bytes: isOver ? 0 : bytes };
    return held.value;
  }

  function drop(): void {
    if (held !== undefined) roomOfAll.giveBack(held.bytes);
    held = undefined;
  }

  function toSend(): BodyToSend {
    const { shared } = all;
    return held === undefined ? { value: shared.value, shared } : { value: held.value, shared: undefined };
  }

  function share(): unknown {
    const value = copyMembers(toSend().value);
    all.shared = { value, written: undefined };
    return value;
  }

  function admitted(): void {
    isAdmitted = true;
    if (held !== undefined && haveSameMembers(held.value, all.shared.value)) drop();
    isChanged = held !== undefined;
  }

  // What middleware has set may still be read while the answer passes.
  function sent(): void {
    if (!isChanged) drop();
  }

  function end(): void {
    isOver = true;
    drop();
  }
}

function takeRoom(roomOfOne: ByteRoom, bytes: number): void {
  if (!roomOfOne.take(bytes)) {
    const message =
      "The body of the request has too many members for all calls of the aggregate to have a copy of their own.";
    throw new RequestError("body-too-large", message);
  }
  if (roomOfAll.take(bytes)) return;
  const message = "Too many copies of long bodies are kept for calls of aggregates.";
  throw new OverloadError("overloaded", message, { headers: { "retry-after": "1" } });
}

function mayBeLongerThan(bytes: number, framing: Framing): boolean {
  return framing.kind !== "none" && (framing.kind !== "length" || framing.length > bytes);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

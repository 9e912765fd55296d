import type { IncomingMessage } from "node:http";
import { bytesOfBody, type Counted } from "../../bytes-of-body.ts";
import type { GatewayError } from "../../errors.ts";
import { createFewPerTurn } from "../../unattended/few-per-turn.ts";
import { bytesOfCopy, copyMembers, haveSameMembers, keepChanges } from "./copy-members.ts";
import { isJsonType, readMediaType } from "../media-type.ts";
import type { Framing } from "../request-framing.ts";
import {
  createBytesOfHandlers,
  createTakeRoom,
  giveRoomBack,
  type OwnBytes,
  type Refusable,
  type TakeRoom,
} from "./room-for-copies.ts";
import type { SharedValue } from "./write-once.ts";

/** A parsed body as it is sent; `shared` where it is the one of all parts. */
export type BodyToSend = Readonly<{ value: unknown; shared: SharedValue | undefined }>;

/** The parsed body of a request as one call of an aggregate's part has it: a copy as soon as user code reads it. */
export type PartBody = Readonly<{
  get: () => unknown;
  set: (value: unknown) => void;
  toSend: () => BodyToSend;
  ownBytes: OwnBytes;
  /** Lets all parts have what the body is now, and tells it; what it becomes is for this one alone. */
  share: () => unknown;
  /** The middleware of the call is done: a copy that it has only read is dropped. */
  admitted: () => void;
  /** So are its handlers, for which a copy was made that nobody sends; one that middleware has changed a little is made again. */
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
  /** Waits for a turn of the event loop in which no other long body is copied or written, and not many short ones. */
  turn: () => Promise<void>;
  /** Why nothing is sent any more for this request: user code has read more copies than there is room for. */
  refusal: () => GatewayError | undefined;
}>;

/** What the calls for one request have in common. */
type Common = Refusable & { shared: SharedValue };

const longBody = 16_384;
const longestEmpty = "{}".length;
/** An object in JSON may have blanks in it and around it, and has no member in less than `{"":0}`. */
const longestEmptyRecord = '{"":0}'.length - 1;

/** So often the calls for a request wait for no turn. */
const mostAtOnce = 16;
const oneLongPerTurn = createFewPerTurn(1);
const fewShortPerTurn = createFewPerTurn(8);

/** Prepares the parsed body of a request for the calls of an aggregate's parts, of which there may be a hundred. */
export function createPartBodies(req: IncomingMessage, framing: Framing): PartBodies {
  const all: Common = { shared: { value: undefined, written: undefined }, refusal: undefined };
  const takeRoom = createTakeRoom(all);
  let turns = 0;
  return {
    begin(value) {
      if (!Object.is(value, all.shared.value)) all.shared = { value, written: undefined };
      return createPartBody(all, takeRoom);
    },
    isToBeFilled: (value) => isEmpty(value) && lengthOf(req, framing) > longestWithout(value, req),
    async turn() {
      turns += 1;
      const isLong = typeof all.shared.value === "object" && lengthOf(req, framing) > longBody;
      if (isLong) await new Promise<void>((resolve) => oneLongPerTurn(resolve));
      else if (turns > mostAtOnce) await new Promise<void>((resolve) => fewShortPerTurn(resolve));
    },
    refusal: () => all.refusal,
  };
}

function createPartBody(all: Common, takeRoom: TakeRoom): PartBody {
  let held: Readonly<{ value: unknown; bytes: number }> | undefined;
  const handlers = createBytesOfHandlers(all);
  let isAdmitted = false;
  let isChanged = false;
  /** Gives once more what middleware has made of the body, where that takes no room. */
  let makeAgain: (() => unknown) | undefined;
  let isOver = false;
  return { get, set, toSend, ownBytes: handlers.own, share: () => shareCopy(all, toSend().value), admitted, sent, end };

  function get(): unknown {
    if (held !== undefined) return held.value;
    const { value } = all.shared;
    // What lies deeper is not copied, and may be changed.
    if (!isAdmitted) all.shared.written = undefined;
    if (isOver) return copyMembers(value);
    const bytes = takeRoom(bytesOfCopy(value));
    if (bytes === undefined && makeAgain === undefined) return value;
    const copy = makeAgain === undefined ? copyMembers(value) : makeAgain();
    if (bytes !== undefined) held = { value: copy, bytes };
    return copy;
  }

  function set(value: unknown): void {
    if (held !== undefined && held.value === value) return;
    drop();
    held = { value, bytes: (isOver ? 0 : takeRoom(bytesOfCopy(value))) ?? 0 };
  }

  function drop(): void {
    if (held !== undefined) giveRoomBack(held.bytes);
    held = undefined;
  }

  function toSend(): BodyToSend {
    const { shared } = all;
    return held === undefined ? { value: shared.value, shared } : { value: held.value, shared: undefined };
  }

  function admitted(): void {
    isAdmitted = true;
    if (held !== undefined && haveSameMembers(held.value, all.shared.value)) drop();
    isChanged = held !== undefined;
    if (held !== undefined && held.bytes > 0) makeAgain = keepChanges(held.value, all.shared.value);
  }

  // What middleware has set may still be read while the answer passes, for which a client may take its time.
  function sent(): void {
    handlers.drop();
    if (!isChanged || makeAgain !== undefined) drop();
  }

  function end(): void {
    isOver = true;
    makeAgain = undefined;
    drop();
    handlers.end();
  }
}

/** Gives the parts behind what one has made of the body. */
function shareCopy(all: Common, value: unknown): unknown {
  const copy = copyMembers(value);
  all.shared = { value: copy, written: undefined };
  return copy;
}

/** How long the body is that the client has sent so far. */
function lengthOf(req: IncomingMessage & Partial<Counted>, framing: Framing): number {
  if (framing.kind === "none") return 0;
  return framing.kind === "length" ? framing.length : (req[bytesOfBody] ?? Infinity);
}

/** How long a body is at most for which there is certainly nothing in such a list or object. */
function longestWithout(value: object, { headers }: IncomingMessage): number {
  const isRecord = isJsonType(readMediaType(headers["content-type"])) && !Array.isArray(value);
  return isRecord ? longestEmptyRecord : longestEmpty;
}

function isEmpty(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

import type { AnswerBody, Flow, Sink } from "../../bodies/answer-body.ts";
import { gatherPieces } from "../../bodies/pieces/gather-pieces.ts";
import { createHeldBody, type HeldBody, writeAll } from "../../bodies/held-body.ts";
import { after } from "../../unattended/guarded.ts";
import type { ByteRoom } from "../../bodies/pieces/byte-room.ts";
import { type Collection, joinPieces } from "./collected-pieces.ts";

/** Where a body is collected, and who hears what comes of that. */
export type Sharing = Readonly<{
  collection: Collection;
  /** For what waits for the client meanwhile. */
  waiting: ByteRoom;
  /** All bytes have come. */
  complete: (bytes: Buffer) => void;
  /** It is too long, has broken off, or is not wanted: nothing is to be had. */
  incomplete: () => void;
}>;

/** A body that goes to a client and into a collection at the same time. */
type SharedBody = Readonly<{
  forClient: HeldBody;
  /** The client has no need of the body; whoever reads it all the same is told the reason, where there is one. */
  leaveClient: (reason?: Error) => void;
}>;

// A client that reads is ready for more much sooner.
const longestPause = 1_000;

/**
 * Lets a body go to a client as it comes in, and collects it besides: as long as that goes on it follows nobody's reading
 * speed, and does not end with the client. Where no room is left for what waits for clients, it follows this one for as
 * long as that reads.
 */
export function shareBody(body: AnswerBody, { collection, waiting, complete, incomplete }: Sharing): SharedBody {
  let isOver = false;
  let pause: NodeJS.Timeout | undefined;
  const client = createClientSide({ resume, abort: () => leaveClient() }, waiting);
  body.sendTo({ write, end, fail });
  return { forClient: client.body, leaveClient };

  function write(piece: Buffer): boolean {
    collect(piece);
    const goesOn = client.write(piece) || (collection.isOpen() && client.hasRoom());
    if (!goesOn && collection.isOpen()) pause ??= after(longestPause, stopCollecting).unref();
    return goesOn;
  }

  function resume(): void {
    clearTimeout(pause);
    pause = undefined;
    body.flow.resume();
  }

  function end(last?: Buffer): void {
    if (last !== undefined) collect(last);
    isOver = true;
    const pieces = collection.take();
    if (pieces !== undefined) complete(joinPieces(pieces));
    client.end(last);
  }

  function fail(error: Error): void {
    isOver = true;
    stopCollecting();
    client.fail(error);
  }

  function collect(piece: Buffer): void {
    if (collection.isOpen() && !collection.add(piece)) stopCollecting();
  }

  function stopCollecting(): void {
    if (collection.take() === undefined) return;
    incomplete();
    endWithoutAnybody();
  }

  function leaveClient(reason?: Error): void {
    if (!client.isThere()) return;
    client.leave(reason);
    if (pause !== undefined) resume();
    endWithoutAnybody();
  }

  function endWithoutAnybody(): void {
    if (isOver || client.isThere() || collection.isOpen()) return;
    isOver = true;
    body.flow.abort(new Error("Nobody wants the rest of the body."));
  }
}

type ClientSide = Sink &
  Readonly<{
    body: HeldBody;
    isThere: () => boolean;
    /** Whether there is room for all that waits for the client. */
    hasRoom: () => boolean;
    /** A handler or a responder may read the body in the place of the client, and would wait for ever. */
    leave: (reason: Error | undefined) => void;
  }>;

/**
 * What a slow client has no time for waits for it in few pieces: each piece that is written to a response is kept there
 * with the framing of its chunk, however short it is.
 */
function createClientSide(flow: Flow, room: ByteRoom): ClientSide {
  let isThere = true;
  let isFull = false;
  let hasRoom = true;
  const { take, handOn, giveBack } = createOwnRoom(room);
  let waiting = gatherPieces();
  const body = createHeldBody({ resume, abort: flow.abort }, { isLent: true });
  return { body, isThere: () => isThere, hasRoom: () => hasRoom, leave, write, end, fail };

  function write(piece: Buffer): boolean {
    if (!isThere) return true;
    if (isFull) wait(piece);
    else isFull = !body.write(piece);
    return !isFull;
  }

  function wait(piece: Buffer): void {
    waiting.add(piece);
    hasRoom &&= take(piece.length);
  }

  function resume(): void {
    handOn();
    hasRoom = true;
    isFull = !sendWaiting();
    if (isFull) return;
    giveBack();
    flow.resume();
  }

  function sendWaiting(): boolean {
    const pieces = waiting.all();
    waiting = gatherPieces();
    return pieces.length === 0 || writeAll(pieces, body);
  }

  function end(last?: Buffer): void {
    if (!isThere) return;
    sendWaiting();
    body.end(last);
  }

  function fail(error: Error): void {
    if (!isThere) return;
    sendWaiting();
    body.fail(error);
  }

  function leave(reason: Error | undefined): void {
    isThere = false;
    giveBack();
    waiting = gatherPieces();
    if (reason !== undefined) body.fail(reason);
  }
}

type OwnRoom = Pick<ByteRoom, "take"> & Readonly<{ handOn: () => void; giveBack: () => void }>;

/** What one client takes of a room: what is handed on waits behind its response as well, until that asks for more. */
function createOwnRoom(room: ByteRoom): OwnRoom {
  let here = 0;
  let handedOn = 0;
  return { take, handOn, giveBack };

  function take(bytes: number): boolean {
    const isTaken = room.take(bytes);
    if (isTaken) here += bytes;
    return isTaken;
  }

  function handOn(): void {
    room.giveBack(handedOn);
    [here, handedOn] = [0, here];
  }

  function giveBack(): void {
    room.giveBack(here + handedOn);
    [here, handedOn] = [0, 0];
  }
}

import type { AnswerBody, Flow, Sink } from "../../bodies/answer-body.ts";
import { gatherPieces } from "../../bodies/gather-pieces.ts";
import { createHeldBody, type HeldBody, writeAll } from "../../bodies/held-body.ts";
import { type Collection, joinPieces } from "./collected-pieces.ts";

/** Where a body is collected, and who hears what comes of that. */
export type Sharing = Readonly<{
  collection: Collection;
  /** All bytes have come. */
  complete: (bytes: Buffer) => void;
  /** It is too long, has broken off, or is not wanted: nothing is to be had. */
  incomplete: () => void;
}>;

/** A body that goes to a client and into a collection at the same time. */
export type SharedBody = Readonly<{
  forClient: HeldBody;
  /** The client has no need of the body. */
  leaveClient: () => void;
}>;

/**
 * Lets a body go to a client as it comes in, and collects it besides: as long as that goes on it follows nobody's reading
 * speed, and does not end with the client.
 */
export function shareBody(body: AnswerBody, { collection, complete, incomplete }: Sharing): SharedBody {
  let isOver = false;
  const client = createClientSide({ resume: body.flow.resume, abort: leaveClient });
  body.sendTo({ write, end, fail });
  return { forClient: client.body, leaveClient };

  function write(piece: Buffer): boolean {
    collect(piece);
    const goesOn = client.write(piece);
    return collection.isOpen() || goesOn;
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

  function leaveClient(): void {
    client.leave();
    endWithoutAnybody();
  }

  function endWithoutAnybody(): void {
    if (isOver || client.isThere() || collection.isOpen()) return;
    isOver = true;
    body.flow.abort(new Error("Nobody wants the rest of the body."));
  }
}

type ClientSide = Sink & Readonly<{ body: HeldBody; isThere: () => boolean; leave: () => void }>;

/**
 * What a slow client has no time for waits for it in few pieces: each piece that is written to a response is kept there
 * with the framing of its chunk, however short it is.
 */
function createClientSide(flow: Flow): ClientSide {
  let isThere = true;
  let isFull = false;
  let waiting = gatherPieces();
  const body = createHeldBody({ resume, abort: flow.abort });
  return { body, isThere: () => isThere, leave, write, end, fail };

  function write(piece: Buffer): boolean {
    if (!isThere) return true;
    if (isFull) waiting.add(piece);
    else isFull = !body.write(piece);
    return !isFull;
  }

  function resume(): void {
    isFull = !sendWaiting();
    if (!isFull) flow.resume();
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

  function leave(): void {
    isThere = false;
    waiting = gatherPieces();
  }
}

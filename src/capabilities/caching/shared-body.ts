import type { AnswerBody } from "../../bodies/answer-body.ts";
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
 * speed, and does not end with the client. What a slow client has no time for waits for it in few pieces: each piece that is
 * written to a response is kept there with its surroundings, however short it is.
 */
export function shareBody(body: AnswerBody, { collection, complete, incomplete }: Sharing): SharedBody {
  let hasClient = true;
  let isOver = false;
  let clientIsFull = false;
  let waiting = gatherPieces();
  const forClient = createHeldBody({ resume, abort: leaveClient });
  body.sendTo({ write, end, fail });
  return { forClient, leaveClient };

  function write(piece: Buffer): boolean {
    collect(piece);
    const goesOn = !hasClient || passOn(piece);
    return collection.isOpen() || goesOn;
  }

  function passOn(piece: Buffer): boolean {
    if (clientIsFull) waiting.add(piece);
    else clientIsFull = !forClient.write(piece);
    return !clientIsFull;
  }

  function resume(): void {
    clientIsFull = !sendWaiting();
    if (!clientIsFull) body.flow.resume();
  }

  function sendWaiting(): boolean {
    const pieces = waiting.all();
    waiting = gatherPieces();
    return pieces.length === 0 || writeAll(pieces, forClient);
  }

  function end(last?: Buffer): void {
    if (last !== undefined) collect(last);
    isOver = true;
    const pieces = collection.take();
    if (pieces !== undefined) complete(joinPieces(pieces));
    if (!hasClient) return;
    sendWaiting();
    forClient.end(last);
  }

  function fail(error: Error): void {
    isOver = true;
    stopCollecting();
    if (!hasClient) return;
    sendWaiting();
    forClient.fail(error);
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
    hasClient = false;
    waiting = gatherPieces();
    endWithoutAnybody();
  }

  function endWithoutAnybody(): void {
    if (isOver || hasClient || collection.isOpen()) return;
    isOver = true;
    body.flow.abort(new Error("Nobody wants the rest of the body."));
  }
}

import type { Dispatcher } from "undici";
import type { Flow } from "../../bodies/answer-body.ts";
import { createFewPieces, mostPlain, shortLength } from "../../bodies/pieces/few-pieces.ts";
import { createHeldBody, type HeldBody } from "../../bodies/held-body.ts";
import { inOwnMemory } from "../../bodies/freeing/in-own-memory.ts";

type Controller = Dispatcher.DispatchController;

/** What lets undici wait and go on, and what is done with the pieces when they are out. */
type Source = Readonly<{ controller: Controller; written: Flow["written"] }>;

/** The body of an answer, and what takes it from undici. */
export type IncomingBody = Readonly<{
  body: HeldBody;
  take: (piece: Buffer) => void;
  end: () => void;
  fail: (error: Error) => void;
}>;

/** Keeps what undici gives until its destination is known, and hands it on: many short pieces in few. */
export function createIncomingBody({ controller, written }: Source): IncomingBody {
  const body = createHeldBody(written === undefined ? { resume, abort } : { resume, abort, written });
  let shortPieces = 0;
  let intake: Intake | undefined;
  return { body, take, end, fail };

  function take(piece: Buffer): void {
    if (intake !== undefined) intake.take(piece);
    else if (piece.length < shortLength && shortPieces === mostPlain) gatherFrom(piece);
    else {
      if (piece.length < shortLength) shortPieces += 1;
      if (!handOn(piece)) controller.pause();
    }
  }

  /** undici gives views of what it has read: one that is left to nobody lets that memory go. */
  function handOn(piece: Buffer): boolean {
    const own = inOwnMemory(piece);
    if (own !== piece) written?.(piece);
    return body.write(own);
  }

  function gatherFrom(piece: Buffer): void {
    intake = createIntake({ write: handOn, fail: body.fail }, controller);
    intake.take(piece);
  }

  function resume(): void {
    if (intake === undefined) controller.resume();
    else intake.resume();
  }

  function abort(reason: Error): void {
    controller.abort(reason);
  }

  function end(): void {
    intake?.finish();
    body.end();
  }

  function fail(error: Error): void {
    intake?.finish();
    body.fail(error);
  }
}

type Intake = Readonly<{
  take: (piece: Buffer) => void;
  /** The destination wants more. */
  resume: () => void;
  /** Hands on what is left: undici gives no more. */
  finish: () => void;
}>;

/** undici waits while the destination wants no more, and while others have their turn: it goes on when neither is so. */
function createIntake(body: Pick<HeldBody, "write" | "fail">, controller: Controller): Intake {
  const few = createFewPieces({ pushOn, pause: waitIfNeeded, goOn });
  let isWanted = true;
  let isOver = false;
  return { take, resume, finish };

  function take(piece: Buffer): void {
    few.take(piece);
    waitIfNeeded();
  }

  function waitIfNeeded(): void {
    if (!isWanted || few.isHeld()) controller.pause();
  }

  function resume(): void {
    isWanted = true;
    goOn();
  }

  /** The next answer over the same connection has the same parser: what was before it must not set that going. */
  function goOn(): void {
    if (isWanted && !few.isHeld() && !isOver) controller.resume();
  }

  function finish(): void {
    isOver = true;
    few.flush();
  }

  /** What middleware on the way throws is its own failure, and not the upstream's. */
  function pushOn(piece: Buffer): boolean {
    try {
      isWanted = body.write(piece);
    } catch (error) {
      isWanted = false;
      body.fail(error as Error);
      controller.abort(error as Error);
    }
    return isWanted;
  }
}

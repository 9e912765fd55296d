import type { Flow } from "./answer-body.ts";
import { createFewPieces, type FewPieces, mostPlain, shortLength } from "./few-pieces.ts";
import { createHeldBody, type HeldBody } from "./held-body.ts";

/** Keeps what comes in until its destination is known, as {@link createHeldBody} does, and hands it on in few pieces. */
export function createHeldPieces(flow: Flow, pause: () => void): HeldBody {
  const body = createHeldBody({ ...flow, resume });
  let shortPieces = 0;
  let pieces: FewPieces | undefined;
  return { ...body, write, end, fail };

  function write(piece: Buffer): boolean {
    if (pieces !== undefined) return pieces.take(piece);
    if (piece.length < shortLength) shortPieces += 1;
    if (shortPieces > mostPlain) pieces = createPieces(body, flow, pause);
    return body.write(piece);
  }

  function resume(): void {
    if (pieces?.isHeld() !== true) flow.resume();
  }

  function end(last?: Buffer): void {
    pieces?.flush();
    body.end(last);
  }

  function fail(error: Error): void {
    pieces?.flush();
    body.fail(error);
  }
}

function createPieces(body: HeldBody, flow: Flow, pause: () => void): FewPieces {
  const { written } = flow;
  return createFewPieces({ pushOn, pause, goOn, ...(written === undefined ? {} : { toKept }) });

  /** Middleware on the way may throw: that is its own failure, and not the upstream's. */
  function pushOn(piece: Buffer): boolean {
    try {
      return body.write(piece);
    } catch (error) {
      body.fail(error as Error);
      flow.abort(error as Error);
      return false;
    }
  }

  function goOn(isWanted: boolean): void {
    if (isWanted) flow.resume();
  }

  /** What is kept as a copy need not stay where it was. */
  function toKept(piece: Buffer): Buffer {
    const copy = Buffer.from(piece);
    written?.(piece);
    return copy;
  }
}

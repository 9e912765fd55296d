import type { Stream } from "node:stream";
import { createFewPerTurn } from "../../unattended/few-per-turn.ts";
import { nextTurn } from "../../unattended/guarded.ts";
import { gatherPieces } from "./gather-pieces.ts";

// What is longer is worth what each piece costs.
export const shortLength = 1_024;
const mostGathered = 16_384;

/** Most bodies have no more short pieces than these, and are spared whatever makes few of many. */
export const mostPlain = 64;

/** How many short pieces of a longer body go on by themselves in a turn. */
const mostAlone = 8;

/** How many a body may have in a turn, whatever others have, before it has to wait. */
const mostUnheld = 500;

/** Where the pieces of a body come from, and where they go. */
type Passage = Readonly<{
  /** Hands a piece on; false where that is all for now. */
  pushOn: (piece: Buffer) => boolean;
  /** Lets the source wait: what it gave before turns out to be all for now. */
  pause: () => void;
  /** Lets a source go on that was held: what it gave has been handed on. */
  goOn?: () => void;
  hangsOn?: Stream;
}>;

/** The pieces of a body on their way. */
export type FewPieces = Readonly<{
  /** Takes the next piece; false where that is all for now. */
  take: (piece: Buffer) => boolean;
  /** Hands on what is kept. */
  flush: () => boolean;
  /** Whether the source has to wait for its turn. */
  isHeld: () => boolean;
}>;

/**
 * Makes few pieces of many. A chunk may hold a single byte, and a hundred thousand of them come in a moment: each would go
 * through streams, limits and writes by itself. The first pieces in a turn of the event loop go on at once; short ones behind
 * them go together, at the latest when the turn is over. A source that brings more than the turn has room for is let go on in
 * its turn.
 */
export function createFewPieces({ pushOn, pause, goOn, hangsOn }: Passage): FewPieces {
  const gathered = gatherPieces();
  let turnOfLast = 0;
  let inTurn = 0;
  let isGathering = false;
  let isHeld = false;
  return { take, flush, isHeld: () => isHeld };

  function take(piece: Buffer): boolean {
    if (!isHeld && (piece.length >= shortLength || goesAlone())) {
      flush();
      return pushOn(piece);
    }
    keep(piece);
    return !isHeld && (gathered.length() < mostGathered || flush());
  }

  function goesAlone(): boolean {
    const turn = presentTurn();
    if (turn !== turnOfLast) inTurn = 0;
    turnOfLast = turn;
    inTurn += 1;
    return inTurn <= mostAlone;
  }

  function keep(piece: Buffer): void {
    gathered.add(piece);
    if (isHeld) return;
    if (!isGathering) nextTurn(endTurn, hangsOn);
    isGathering = true;
    if (!takeRoom() && inTurn > mostUnheld) hold();
  }

  function endTurn(): void {
    isGathering = false;
    if (!isHeld && !flush()) pause();
  }

  function hold(): void {
    isHeld = true;
    oneHeldPerTurn(letGo, hangsOn);
  }

  function letGo(): void {
    isHeld = false;
    flush();
    // What the source gives at once was there before: alone, a short piece would keep the memory of a whole read.
    [turnOfLast, inTurn] = [presentTurn(), mostAlone];
    goOn?.();
  }

  function flush(): boolean {
    return gathered.length() === 0 || pushOn(gathered.take());
  }
}

/** What a turn has room for: each piece costs the parser some time, however they are taken from there. */
const mostPerTurn = 1_000;
const oneHeldPerTurn = createFewPerTurn(1);
let room = mostPerTurn;
let turns = 1;
let isTurnCounted = false;

function presentTurn(): number {
  if (!isTurnCounted) nextTurn(beginTurn);
  isTurnCounted = true;
  return turns;
}

function beginTurn(): void {
  isTurnCounted = false;
  turns += 1;
  room = mostPerTurn;
}

function takeRoom(): boolean {
  room -= 1;
  return room >= 0;
}

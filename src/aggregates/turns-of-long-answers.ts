import { createByteRoom } from "../bodies/pieces/byte-room.ts";
import { OverloadError } from "../errors.ts";
import { createWorkTurns } from "../work-in-turn.ts";

/** Looks into an answer of so many bytes as soon as its turn comes. */
type InTurn = <Found>(bytes: number, look: () => Promise<Found>) => Promise<Found>;

const atOnce = 2;
const longestWait = 20_000;
const mebibyte = 1_024 * 1_024;

// Of the longest answers more would not have their turn in time.
const bytesOfOne = 32 * mebibyte;
const bytesOfAll = 64 * mebibyte;

const inTurnOfAll = createWorkTurns(atOnce, longestWait);
const roomOfAll = createByteRoom(bytesOfAll);

/**
 * Makes the turns of one aggregate's long answers. A document may take twenty times as much memory as its text: two are
 * looked into at a time in the process, the others wait as their bytes, as many as there is room for. No aggregate has more
 * than two that wait for a turn among all, so that one that has many to look into leaves turns to the others.
 */
export function createLongAnswerTurns(): InTurn {
  const inOwnTurn = createWorkTurns(atOnce, longestWait);
  const ownRoom = createByteRoom(bytesOfOne);

  return async function inTurn(bytes, look) {
    if (!ownRoom.has(bytes) || !roomOfAll.has(bytes)) throw tooManyLong();
    for (const room of [ownRoom, roomOfAll]) room.take(bytes);
    const end = performance.now() + longestWait;
    try {
      const done = await inOwnTurn(() => inTurnOfAll(async () => ({ found: await look() }), leftUntil(end)));
      if (done === undefined) throw tooManyLong();
      return done.found;
    } finally {
      for (const room of [ownRoom, roomOfAll]) room.giveBack(bytes);
    }
  };
}

function leftUntil(end: number): number {
  return Math.max(0, end - performance.now());
}

function tooManyLong(): OverloadError {
  const message = "Too many long answers are waiting to be looked into.";
  return new OverloadError("overloaded", message, { headers: { "retry-after": "1" } });
}

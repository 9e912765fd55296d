import { Readable } from "node:stream";
import { returnBody } from "../answers/same-meaning-body.ts";
import { giveUpBody } from "../bodies/with-code/give-up-body.ts";
import type { BodyBound } from "../bodies/pieces/gather-up-to.ts";
import { unreadBody } from "../bodies/with-code/body-to-read.ts";
import { createStreamBody } from "../bodies/stream-body.ts";
import { exchangeIsOver } from "../cancellation.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { listenOnce } from "../unattended/guarded.ts";
import { createHeldBlocks } from "./held-blocks.ts";
import type { HeldBytes } from "./room-for-bodies.ts";
import type { Pieces } from "./text-or-base64-parts.ts";
import type { PartCall } from "./part-call.ts";
import { piecesInTime } from "./part-body-in-time.ts";

/** How much is read ahead of one body, in the room of its request, and what is held for that. */
type AheadBound = BodyBound & Readonly<{ all: HeldBytes }>;

/**
 * Reads the beginning of a body while the whole still waits for other parts, and leaves it in the answer. Where that is
 * all of it, the call is over, and its connection is free: another call of the same whole may be the one that waits for it.
 */
export function readAhead(answer: UpstreamResponse, call: PartCall, { mostBytes, room, all }: AheadBound): void {
  const body = unreadBody(answer);
  const rest = piecesInTime(body, call);
  const held = createHeldBlocks(all);
  const reading = readOn();
  // Whoever reads the body hears of it.
  reading.catch(() => undefined);
  const whole = Readable.from(heldAndRest(), { objectMode: false });
  // Who gives it up may never have begun to read the rest.
  listenOnce(whole, "close", giveUp);
  returnBody(answer, createStreamBody(whole));

  /** Tells whether it has come to the end. */
  async function readOn(): Promise<boolean> {
    let hasRoom = true;
    while (hasRoom) {
      const next = await rest.next();
      if (next.done === true) {
        call.cancel(exchangeIsOver);
        return true;
      }
      hasRoom = held.add(next.value) && held.length() <= mostBytes && room?.take(next.value.length) !== false;
    }
    return false;
  }

  async function* heldAndRest(): Pieces {
    yield* held.giveOut();
    const isAll = await reading;
    yield* held.giveOut();
    if (!isAll) yield* rest;
  }

  function giveUp(): void {
    giveUpBody(body);
    held.drop();
  }
}

import { Readable } from "node:stream";
import { returnBody } from "../answers/same-meaning-body.ts";
import type { BodyBound } from "../bodies/gather-up-to.ts";
import { gatherPieces } from "../bodies/gather-pieces.ts";
import { createStreamBody, unreadBody } from "../bodies/stream-body.ts";
import { exchangeIsOver } from "../cancellation.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { listenOnce } from "../unattended/guarded.ts";
import type { Pieces } from "./text-or-base64-parts.ts";
import type { PartCall } from "./part-call.ts";
import { piecesInTime } from "./part-body-in-time.ts";

/**
 * Reads the beginning of a body while the whole still waits for other parts, and leaves it in the answer. Where that is
 * all of it, the call is over, and its connection is free: another call of the same whole may be the one that waits for it.
 */
export function readAhead(answer: UpstreamResponse, call: PartCall, { mostBytes, room }: BodyBound): void {
  const body = unreadBody(answer);
  const rest = piecesInTime(body, call);
  const held = gatherPieces();
  const reading = readOn();
  // Whoever reads the body hears of it.
  reading.catch(() => undefined);
  const whole = Readable.from(heldAndRest(), { objectMode: false });
  // Who gives it up may never have begun to read the rest.
  listenOnce(whole, "close", () => body.destroy());
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
      held.add(next.value);
      hasRoom = held.length() <= mostBytes && room?.take(next.value.length) !== false;
    }
    return false;
  }

  async function* heldAndRest(): Pieces {
    yield held.take();
    const isAll = await reading;
    yield held.take();
    if (!isAll) yield* rest;
  }
}

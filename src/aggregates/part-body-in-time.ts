import type { Readable } from "node:stream";
import { giveUpBody } from "../bodies/with-code/give-up-body.ts";
import { failureOfStream } from "../bodies/broken-off.ts";
import { notBytes, pieceBytes } from "../bodies/pieces/piece-bytes.ts";
import { exchangeIsOver } from "../cancellation.ts";
import { UpstreamError } from "../errors.ts";
import type { PartCall } from "./part-call.ts";

/**
 * The body of a part's answer, each piece of which may take as long as the answer may: the whole waits for it, and a
 * client could not tell which part stands still. The time in which nobody reads does not count.
 */
export async function* piecesInTime(
  body: Readable,
  call: Pick<PartCall, "beginWait" | "cancel" | "onEnd">,
  toFailure = failureOfStream(body),
): AsyncGenerator<Buffer, void, undefined> {
  let giveUp: ((reason: Error) => void) | undefined;
  // A body that user code has listened to may end with the call in silence. One that is read ahead ends the call itself.
  call.onEnd((reason) => {
    if (reason !== exchangeIsOver) giveUp?.(reason);
  });
  const source = body[Symbol.asyncIterator]() as AsyncIterator<unknown>;
  try {
    for (let next = await nextInTime(); next.done !== true; next = await nextInTime()) {
      const bytes = pieceBytes(next.value);
      if (bytes === undefined) throw notBytes(next.value);
      yield bytes;
    }
  } finally {
    // Its iterator would wait for the piece that does not come.
    giveUpBody(body);
  }

  function nextInTime(): Promise<IteratorResult<unknown>> {
    return new Promise((resolve, reject) => {
      const stop = call.beginWait(() => {
        const reason = new UpstreamError("answer-timeout", "The upstream stopped in the middle of its answer.");
        reject(reason);
        call.cancel(reason);
      });
      const fail = (cause: Error): void => reject(toFailure(cause));
      giveUp = (reason) => {
        // What waits for a piece that never comes holds all that the whole has.
        stop();
        reject(reason);
      };
      void source.next().then(resolve, fail).finally(stop);
    });
  }
}

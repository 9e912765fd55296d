import type { ServerResponse } from "node:http";
import { type Attached, guard, listen, listenOnce } from "../unattended/guarded.ts";
import type { AnswerBody, Flow, Sink } from "./answer-body.ts";
import { endResponse } from "./end-response.ts";
import { isNodesOwn } from "./freeing/unseen.ts";

/** Writes a body into the client's response; resolves when all is written or the client has left, rejects when it breaks off. */
export function writeToResponse(
  res: ServerResponse,
  { flow, sendTo }: Pick<AnswerBody, "flow" | "sendTo">,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (res.closed) {
      abandon();
      return;
    }
    let isOver = false;
    listenOnce(res, "close", () => {
      if (!isOver) abandon();
    });
    sendTo(createResponseSink(res, flow, settle));

    function settle(error?: Error): void {
      isOver = true;
      if (error === undefined || res.destroyed) resolve();
      else reject(error);
    }

    /**
     * The client has left, and no code reads the rest: without this, a file or a decompressor that is the source would
     * stay open.
     */
    function abandon(): void {
      flow.abort(new Error("The client left."));
      resolve();
    }
  });
}

function createResponseSink(res: ServerResponse, flow: Flow, settle: (error?: Error) => void): Sink {
  let isWaiting = false;
  let drainListener: Attached | undefined;
  return {
    write(piece) {
      if (res.writableEnded) flow.abort(new Error("The response was ended by somebody else."));
      else if (writeOut(res, piece, flow.written)) return true;
      else waitForDrain();
      return false;
    },
    end(last) {
      if (!res.writableEnded) endResponse(res, last);
      finish();
    },
    fail: finish,
  };

  /**
   * One listener serves the whole answer: middleware may attach it to a stream of its own, which nothing removes it
   * from.
   */
  function waitForDrain(): void {
    isWaiting = true;
    drainListener ??= listen(res, "drain", goOn);
  }

  function goOn(): void {
    if (!isWaiting) return;
    isWaiting = false;
    flow.resume();
  }

  function finish(error?: Error): void {
    isWaiting = false;
    settle(error);
    if (drainListener !== undefined) res.off("drain", drainListener);
  }
}

/** Tells the source that a piece has been written out; never where code on the way might keep the piece. */
function writeOut(res: ServerResponse, piece: Buffer, written: Flow["written"]): boolean {
  // The `write` of middleware may return nothing, which is no wish for a pause.
  if (written === undefined || !isNodesOwn(res)) return (res.write(piece) as boolean | undefined) !== false;
  return res.write(
    piece,
    guard((error?: Error | null) => {
      if (!error) written(piece);
    }),
  );
}

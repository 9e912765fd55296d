import type { ServerResponse } from "node:http";
import type { AnswerBody, Flow, Sink } from "./answer-body.ts";
import { endResponse } from "./end-response.ts";
import { isNodesOwn } from "./nodes-own.ts";

/** Writes a body into the client's response; resolves when all is written or the client has left, rejects when it breaks off. */
export function writeToResponse(
  res: ServerResponse,
  { flow, sendTo }: Pick<AnswerBody, "flow" | "sendTo">,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (res.closed) {
      leave();
      return;
    }
    let isOver = false;
    res.once("close", () => {
      if (!isOver) leave();
    });
    sendTo(createResponseSink(res, flow, settle));

    function settle(error?: Error): void {
      isOver = true;
      if (error === undefined || res.destroyed) resolve();
      else reject(error);
    }

    /** Nobody reads on for a client that left: without this, a file or a decompressor that is the source stays open. */
    function leave(): void {
      flow.abort(new Error("The client left."));
      resolve();
    }
  });
}

function createResponseSink(res: ServerResponse, flow: Flow, settle: (error?: Error) => void): Sink {
  let isWaiting = false;
  return {
    write(piece) {
      if (res.writableEnded) flow.abort(new Error("The response was ended by somebody else."));
      else if (writeOut(res, piece, flow.written)) return true;
      else waitForDrain();
      return false;
    },
    end(last) {
      if (!res.writableEnded) endResponse(res, last);
      settle();
    },
    fail: settle,
  };

  function waitForDrain(): void {
    if (isWaiting) return;
    isWaiting = true;
    res.once("drain", () => {
      isWaiting = false;
      flow.resume();
    });
  }
}

/** Tells when a piece is out for good; where anybody between here and the system might keep it, it never is. */
function writeOut(res: ServerResponse, piece: Buffer, written: Flow["written"]): boolean {
  if (written === undefined || !isNodesOwn(res)) return res.write(piece);
  return res.write(piece, (error) => {
    if (!error) written(piece);
  });
}

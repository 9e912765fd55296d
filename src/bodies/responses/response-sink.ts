import type { ServerResponse } from "node:http";
import { GatewayError } from "../../errors.ts";
import { type Attached, guard, listen, listenOnce } from "../../unattended/guarded.ts";
import type { AnswerBody, Flow, Sink } from "../answer-body.ts";
import { endResponse } from "./end-response.ts";
import { isNodesOwn } from "../freeing/fresh-from-parser.ts";
import { keepWritersOff, inTurn, type Turn } from "./keep-writers-off.ts";

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
    let release: (() => void) | undefined = undefined;
    const turn = { isOurs: false };
    const sink = createResponseSink(res, { flow, turn }, settle);
    sendTo(sink);
    // A body that is there already leaves nobody the time to come in between, or to leave.
    if (sink.isOver()) return;
    listenOnce(res, "close", () => {
      if (!sink.isOver()) abandon();
    });
    release = keepWritersOff(res, turn, intrude);

    function settle(error?: Error): void {
      if (error === undefined) release?.();
      if (error === undefined || res.destroyed) resolve();
      else reject(error);
    }

    function intrude(): void {
      const error = writtenByOthers();
      sink.fail(error);
      flow.abort(error);
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

type ResponseSink = Sink & Readonly<{ isOver: () => boolean }>;

type Source = Readonly<{ flow: Flow; turn: Turn }>;
type Settle = (error?: Error) => void;

function createResponseSink(res: ServerResponse, { flow, turn }: Source, settle: Settle): ResponseSink {
  const write = Reflect.get<ServerResponse, "write">(res, "write");
  const end = Reflect.get<ServerResponse, "end">(res, "end");
  let isOver = false;
  let isWaiting = false;
  let drainListener: Attached | undefined;
  return {
    write(piece) {
      if (isOver) return false;
      if (res.writableEnded) abort(writtenByOthers());
      else if (inTurn(turn, res, () => writeOut(res, { piece, write, flow }))) return true;
      else waitForDrain();
      return false;
    },
    end(last) {
      if (isOver) return;
      if (res.writableEnded) {
        finish(writtenByOthers());
        return;
      }
      inTurn(turn, res, () => endResponse(res, last, end));
      finish();
    },
    fail: finish,
    isOver: () => isOver,
  };

  function abort(error: Error): void {
    finish(error);
    flow.abort(error);
  }

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
    if (isOver) return;
    isOver = true;
    isWaiting = false;
    settle(error);
    if (drainListener !== undefined) res.off("drain", drainListener);
  }
}

type WrittenPiece = Readonly<{ piece: Buffer; write: ServerResponse["write"]; flow: Flow }>;

/** Tells the source that a piece has been written out; never where code on the way might keep the piece. */
function writeOut(res: ServerResponse, { piece, write, flow: { written } }: WrittenPiece): boolean {
  // The `write` of middleware may return nothing, which is no wish for a pause.
  if (written === undefined || !isNodesOwn(res, write))
    return (Reflect.apply(write, res, [piece]) as boolean | undefined) !== false;
  const tellWritten = guard((error?: Error | null) => {
    if (!error) written(piece);
  });
  return Reflect.apply(write, res, [piece, tellWritten]) as boolean;
}

function writtenByOthers(): GatewayError {
  return new GatewayError(
    "handler-misuse",
    "Other code, such as middleware that calls next() and writes later, wrote or ended the answer while the upstream's body was " +
      "being sent. The connection is cut, since two answers in one cannot be told apart.",
  );
}

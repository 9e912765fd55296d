import { Readable } from "node:stream";
import { giveUpInLaterTurn } from "./give-up-body.ts";
import { describePiece, pieceBytes } from "../pieces/piece-bytes.ts";
import { keepWhatIsThere, lacksBytes } from "./lacks-bytes.ts";
import { isReadToEnd } from "./read-before.ts";
import { hearFailure } from "./silence.ts";
import { failureOf } from "./stream-of-user-code.ts";
import { GatewayError } from "../../errors.ts";
import { ignoreErrors, listen, listenOnce } from "../../unattended/guarded.ts";

/**
 * The view that engines get of a stream which a handler has set as a request's body. With the stream itself an engine
 * would wait for ever for the end of a stream that has ended or closed before, would send half of a stream that closes,
 * and would throw uncaught at a piece without bytes. The view reads nothing before an engine asks, so that another host
 * can be tried after a refusal. `letGo` is called before the stream is destroyed because nobody takes the rest of it.
 */
export function createGivenBody(source: Readable, letGo: () => void): Readable | Buffer {
  const failure = failureOf(source);
  if (failure !== undefined) throw failure;
  if (isReadToEnd(source)) throw misuse("was read to its end before it was sent", setWhatWasRead);
  if (source.readableEnded) return Buffer.alloc(0);
  if (source.destroyed) throw misuse("was destroyed before it was sent", openNew);
  // What it gives before an engine reads goes to somebody else alone, and the rest would look whole.
  if (source.readableFlowing === true) throw readElsewhere();
  return createView(source, letGo);
}

function createView(source: Readable, letGo: () => void): Readable {
  let isReading = false;
  keepWhatIsThere(source);
  const view = new Readable({
    read() {
      if (!isReading) startReading();
      if (!view.destroyed) source.resume();
    },
    destroy(error, callback) {
      if (!source.readableEnded) {
        letGo();
        giveUpInLaterTurn(source);
      }
      callback(error);
    },
  });
  // The view may fail after the engine has let go of it.
  ignoreErrors(view);
  hearFailure(source, (error) => view.destroy(error));
  listenOnce(source, "end", end);
  listenOnce(source, "close", closeEarly);
  return view;

  function startReading(): void {
    isReading = true;
    if (lacksBytes(source)) view.destroy(readElsewhere());
    else listen(source, "data", push);
  }

  function push(piece: unknown): void {
    const bytes = pieceBytes(piece);
    if (bytes === undefined) view.destroy(misuse(`gave a piece that is ${describePiece(piece)}`, bytesOnly));
    else if (!view.push(bytes)) source.pause();
  }

  function end(): void {
    // Others have read all of it before an engine asked.
    if (!isReading && lacksBytes(source)) view.destroy(readElsewhere());
    else view.push(null);
  }

  function closeEarly(): void {
    if (!source.readableEnded) view.destroy(misuse("closed before its end", openNew));
  }
}

const setWhatWasRead = "Set what was read, as a Buffer.";
const ofItsOwn = "Set a stream of its own, such as what body.pipe(…) gives back.";
const openNew = "Set a stream that is open until all of it is sent.";
const bytesOnly = "Set a stream of bytes or of text.";

function readElsewhere(): GatewayError {
  return misuse("is being read by somebody else", ofItsOwn);
}

function misuse(what: string, remedy: string): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `The stream that a delegating handler has set as outgoing.body ${what}. ${remedy}`,
  );
}

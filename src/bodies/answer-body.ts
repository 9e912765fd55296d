import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/** Takes bytes piece by piece; after a `write` that returns false, the source waits for `resume`. */
export type Sink = Readonly<{
  write: (chunk: Buffer) => boolean;
  end: (last?: Buffer) => void;
  fail: (error: Error) => void;
}>;

/** What the taker of the bytes tells their source. */
export type Flow = Readonly<{
  /** The taker wants more. */
  resume: () => unknown;
  /** The taker does not want the rest. */
  abort: (reason: Error) => unknown;
  /** A piece has been written out: no code will read it any more. */
  written?: (piece: Buffer) => void;
}>;

/**
 * The bytes of an answer. Unless they are repeatable, they go one of these ways, once: whoever comes later is refused, and
 * takes nothing from the first.
 */
export type AnswerBody = Readonly<{
  /** As a stream, which is made when first asked for. */
  toStream: () => Readable;
  /** All bytes, if they have come in already; otherwise undefined. */
  takeWhole: () => Buffer | undefined;
  /** Into the client's response; resolves at their end, rejects when they break off. */
  writeTo: (res: ServerResponse) => Promise<void>;
  /** Piece by piece, at the pace that `flow` is told. */
  sendTo: (sink: Sink) => void;
  flow: Flow;
  /** Whether they may go there again, as they are all there and stay. */
  isRepeatable?: true;
  /** Whether others have the same bytes, too: code that may change pieces where they are gets copies. */
  isLent?: boolean;
  /** The stream that gives them, where there is one before anybody asks for it. */
  stream?: Readable;
}>;

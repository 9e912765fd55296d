import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/** Where bytes go, one piece after the other; `write` returns false to be asked to wait for `resume`. */
export type Sink = Readonly<{
  write: (chunk: Buffer) => boolean;
  end: (last?: Buffer) => void;
  fail: (error: Error) => void;
}>;

/** What a source is told by whoever takes its bytes. */
export type Flow = Readonly<{
  /** More is wanted. */
  resume: () => unknown;
  /** The rest is not wanted. */
  abort: (reason: Error) => unknown;
  /** A piece is out for good: nobody will look at it any more. */
  written?: (piece: Buffer) => void;
}>;

/** The bytes of an answer. They go one of these ways, once. */
export type AnswerBody = Readonly<{
  /** As a stream, which is made when first asked for. */
  toStream: () => Readable;
  /** All of them, if they have come in already; undefined: they have not. */
  takeWhole: () => Buffer | undefined;
  /** Into the client's response; resolves at their end, rejects when they break off. */
  writeTo: (res: ServerResponse) => Promise<void>;
  /** Piece by piece, at the pace that `flow` is told. */
  sendTo: (sink: Sink) => void;
  flow: Flow;
}>;

import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/** Where bytes go, one piece after the other; `write` returns false to be asked to wait for `resume`. */
export type Sink = Readonly<{
  write: (chunk: Buffer) => boolean;
  end: (last?: Buffer) => void;
  fail: (error: Error) => void;
}>;

/** How more is asked for, and how the rest is given up. */
export type Flow = Readonly<{ resume: () => unknown; abort: (reason: Error) => unknown }>;

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

import type { Readable, Writable } from "node:stream";

/** What Node keeps of a stream's pipes (seen in 20 to 24); what is only written to has no such state. */
export type PipedStream = (Readable | Writable) &
  Readonly<{ _readableState?: Readonly<{ pipes?: readonly PipedStream[] }> }>;

/** The streams to which a stream is piped. */
export function pipesOf({ _readableState: state }: PipedStream): readonly PipedStream[] {
  return state?.pipes ?? [];
}

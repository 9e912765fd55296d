import type { Readable, Writable } from "node:stream";
import { listenOnce } from "../unattended/guarded.ts";

/** What Node keeps of a stream's pipes (seen in 20 to 24); what is only written to has no such state. */
type Piped = (Readable | Writable) & Readonly<{ _readableState?: Readonly<{ pipes?: readonly Piped[] }> }>;

/**
 * Lets flow off what streams give to which one has been piped, and which nobody takes from: an upload would stand still behind
 * them. Whoever reads such a stream, or has piped it somewhere, goes on to get all of it.
 */
export function letFlow(source: Readable): void {
  follow(source, new Set());
}

function follow(stream: Piped, followed: Set<Piped>): void {
  if (!isReadable(stream) || followed.has(stream)) return;
  followed.add(stream);
  const { pipes = [] } = stream._readableState!;
  if (pipes.length === 0 && !isRead(stream)) stream.resume();
  for (const pipe of pipes) {
    // Node pauses a stream whose last pipe has gone.
    listenOnce(pipe, "unpipe", () => stream.resume());
    follow(pipe, followed);
  }
}

function isReadable(stream: Piped): stream is Readable & Piped {
  return stream._readableState !== undefined;
}

function isRead(stream: Readable): boolean {
  return stream.listenerCount("data") > 0 || stream.listenerCount("readable") > 0;
}

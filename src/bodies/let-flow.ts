import type { Readable, Writable } from "node:stream";
import { after, listenOnce } from "../unattended/guarded.ts";
import { isMeasure } from "./limit-body.ts";
import { type PipedStream, pipesOf } from "./pipes-of.ts";

/** So long whoever has piped an upload somewhere may take until he begins to read it there; milliseconds. */
const longestUntilBegun = 30_000;
/** So long nobody may read on where somebody has done so: he may lead it to somewhere else. */
const longestUntilReadOn = 1_000;

/**
 * Lets flow off what streams give to which an upload has been piped, and which nobody takes from: it would stand still behind
 * them. Whoever reads such a stream, or has piped it somewhere, goes on to get all of it, and whoever is still to begin has
 * some time for that.
 */
export function letFlow(source: Readable): void {
  follow(source, new Set());
}

function follow(stream: PipedStream, followed: Set<PipedStream>): void {
  if (!isReadable(stream) || followed.has(stream)) return;
  followed.add(stream);
  const pipes = pipesOf(stream);
  if (pipes.length === 0) flowUnlessRead(stream);
  for (const pipe of pipes) {
    // Node pauses a stream whose last pipe has gone.
    listenOnce(pipe, "unpipe", () => {
      if (pipe.destroyed) stream.resume();
      else flowUnlessRead(stream);
    });
    follow(pipe, followed);
  }
}

function flowUnlessRead(stream: Readable & PipedStream): void {
  if (isMeasure(stream)) {
    if (!isRead(stream)) stream.resume();
    return;
  }
  after(
    stream.readableFlowing === null ? longestUntilBegun : longestUntilReadOn,
    () => {
      if (stream.destroyed || stream.readableEnded || isRead(stream)) return;
      // What is not full holds nobody back: it may be read at its end, as a digest is.
      if ((stream as Partial<Writable>).writableNeedDrain === true) stream.resume();
      else flowUnlessRead(stream);
    },
    stream,
  ).unref();
}

function isReadable(stream: PipedStream): stream is Readable & PipedStream {
  return stream._readableState !== undefined;
}

function isRead(stream: Readable & PipedStream): boolean {
  return stream.listenerCount("data") > 0 || stream.listenerCount("readable") > 0 || pipesOf(stream).length > 0;
}

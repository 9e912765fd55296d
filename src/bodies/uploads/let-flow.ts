import type { IncomingMessage } from "node:http";
import type { Readable, Writable } from "node:stream";
import { after, listen } from "../../unattended/guarded.ts";
import { isMeasure } from "./limit-body.ts";
import { type PipedStream, pipesOf } from "../with-code/pipes-of.ts";
import { isUploadOver, whenUploadIsOver } from "./when-upload-is-over.ts";

/** So long whoever has piped an upload somewhere may take until he begins to read it there; milliseconds. */
const longestUntilBegun = 30_000;
/** So long nobody may read on where somebody has done so: he may lead it to somewhere else. */
const longestUntilReadOn = 1_000;

/** What waits and listens until an upload is over. */
type Watch = Readonly<{ followed: Set<PipedStream>; timers: Map<Readable, NodeJS.Timeout>; detach: (() => void)[] }>;

/**
 * Lets flow off what streams give to which an upload has been piped, and which nobody takes from: it would stand still behind
 * them. Whoever reads such a stream, or has piped it somewhere, goes on to get all of it, and whoever is still to begin has
 * some time for that.
 */
export function letFlow(source: IncomingMessage): void {
  if (isUploadOver(source)) return;
  const watch: Watch = { followed: new Set(), timers: new Map(), detach: [] };
  follow(source, watch);
  // Nothing stands still from then on, and timers and streams of user code would hold the request for as long as they last.
  whenUploadIsOver(source, () => {
    for (const timer of watch.timers.values()) clearTimeout(timer);
    for (const detach of watch.detach) detach();
  });
}

function follow(stream: PipedStream, watch: Watch): void {
  if (!isReadable(stream) || watch.followed.has(stream)) return;
  watch.followed.add(stream);
  const pipes = pipesOf(stream);
  if (pipes.length === 0) flowUnlessRead(stream, watch);
  for (const pipe of pipes) {
    // Node pauses a stream whose last pipe has gone.
    const listener = listen(pipe, "unpipe", (from: Readable) => {
      if (from !== stream) return;
      if (pipe.destroyed) stream.resume();
      else flowUnlessRead(stream, watch);
    });
    watch.detach.push(() => pipe.off("unpipe", listener));
    follow(pipe, watch);
  }
}

function flowUnlessRead(stream: Readable & PipedStream, watch: Watch): void {
  if (isMeasure(stream)) {
    if (!isRead(stream)) stream.resume();
    return;
  }
  const patience = stream.readableFlowing === null ? longestUntilBegun : longestUntilReadOn;
  clearTimeout(watch.timers.get(stream));
  watch.timers.set(stream, after(patience, look, stream).unref());

  function look(): void {
    if (stream.destroyed || stream.readableEnded || isRead(stream)) return;
    // What is not full holds nobody back: it may be read at its end, as a digest is.
    if ((stream as Partial<Writable>).writableNeedDrain === false) flowUnlessRead(stream, watch);
    else stream.resume();
  }
}

function isReadable(stream: PipedStream): stream is Readable & PipedStream {
  return stream._readableState !== undefined;
}

function isRead(stream: Readable & PipedStream): boolean {
  return stream.listenerCount("data") > 0 || stream.listenerCount("readable") > 0 || pipesOf(stream).length > 0;
}

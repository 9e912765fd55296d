import type { IncomingMessage } from "node:http";
import { queuedBytes } from "./queued-bytes.ts";
import { createStandstillWatch } from "../../unattended/watch-standstill.ts";
import { uploadStopped, upstreamStoppedReading } from "./watch-upload.ts";

/** Watches an upload of which the rest comes behind the head of its answer; the function that comes back ends that. */
export type WatchUploadBehindHead = (req: IncomingMessage, expire: (error: Error) => void) => () => void;

/**
 * Makes the watch of all uploads that may stand still equally long behind the head of their answers. One that nobody reads
 * keeps its connection from being read, so that a client that leaves is not noticed: it goes on only while bytes of it, or
 * of its answer, go on.
 */
export function createUploadWatchBehindHead(limit: number): WatchUploadBehindHead {
  const watchStandstill = createStandstillWatch(limit);
  return function watchUploadBehindHead(req, expire) {
    return watchStandstill(createStandstill(req), () =>
      expire(req.readableLength > 0 ? upstreamStoppedReading() : uploadStopped()),
    );
  };
}

/** Tells whether an upload is still to come to its end, and its connection has moved neither way since the last look. */
function createStandstill(req: IncomingMessage): () => boolean {
  const { socket } = req;
  let read = -1;
  let written = -1;
  let queued: number | undefined;
  return function standsStill() {
    const earlier = { read, written, queued };
    read = socket.bytesRead;
    written = socket.bytesWritten;
    queued = queuedBytes(socket);
    return !req.complete && read === earlier.read && written === earlier.written && queued === earlier.queued;
  };
}

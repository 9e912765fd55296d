import type { IncomingMessage } from "node:http";
import { bytesOfUpload } from "../../bytes-of-body.ts";
import { queuedBytes } from "./queued-bytes.ts";
import { createStandstillWatch } from "../../unattended/watch-standstill.ts";
import { isAwaited, uploadStopped, upstreamStoppedReading } from "./watch-upload.ts";

/** An upload, and whether its answer has come. */
type Upload = Readonly<{ req: IncomingMessage; isAnswered: () => boolean }>;

/** Watches an upload until it is at its end; the function that comes back ends that before. */
export type WatchUploadOfExchange = (upload: Upload, expire: (error: Error) => void) => () => void;

/**
 * Makes the watch of all uploads that may stand still equally long, whoever reads them. Before the answer a client is to
 * blame only where somebody waits for more than is here: code that has not begun to read, or that waits for something else,
 * holds the client back. Behind the head of an answer an upload that nobody reads keeps its connection from being read, so
 * that a client that leaves is not noticed: it goes on only while bytes of it, or of its answer, go on.
 */
export function createUploadWatch(limit: number): WatchUploadOfExchange {
  const watchStandstill = createStandstillWatch(limit);
  return function watchUploadOfExchange(upload, expire) {
    const { req } = upload;
    const standsStill = createStandstill(upload);
    const stop = watchStandstill(look, () =>
      expire(req.readableLength > 0 ? upstreamStoppedReading() : uploadStopped()),
    );
    return stop;

    function look(): boolean {
      if (!req.complete) return standsStill();
      stop();
      return false;
    }
  };
}

/** Tells whether an upload is to go on, and its connection has moved neither way since the last look. */
function createStandstill({ req, isAnswered }: Upload): () => boolean {
  const { socket } = req;
  let read = -1;
  let written = -1;
  let queued: number | undefined;
  return function standsStill() {
    const earlier = { read, written, queued };
    read = bytesOfUpload(req);
    written = socket.bytesWritten;
    queued = queuedBytes(socket);
    const isToGoOn = isAnswered() || (req.readableLength === 0 && isAwaited(req));
    return isToGoOn && read === earlier.read && written === earlier.written && queued === earlier.queued;
  };
}

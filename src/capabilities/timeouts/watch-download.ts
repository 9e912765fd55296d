import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { queuedBytes } from "./queued-bytes.ts";
import { createStandstillWatch } from "../../unattended/watch-standstill.ts";

/** Watches whether a client takes its answer; the function that comes back ends that. */
export type WatchDownload = (res: ServerResponse, expire: () => void) => () => void;

/**
 * Makes the watch of all answers that may stand still equally long. A client that takes a single byte now and then goes
 * on, and so does an answer of which there is nothing to send: an event stream may be silent for as long as it likes.
 */
export function createDownloadWatch(limit: number): WatchDownload {
  const watchStandstill = createStandstillWatch(limit);
  return function watchDownload(res, expire) {
    // A response that waits for the answers to earlier requests has no socket, but stands still together with them.
    return watchStandstill(createStandstill(res.req.socket), expire);
  };
}

/** Tells whether bytes wait for a client that has taken none since the last look. */
export function createStandstill(socket: Socket): () => boolean {
  let taken = -1;
  let queued: number | undefined;
  return function standsStill() {
    const { writableLength } = socket;
    const earlier = { taken, queued };
    taken = socket.bytesWritten - writableLength;
    queued = queuedBytes(socket);
    return writableLength > 0 && taken === earlier.taken && queued === earlier.queued;
  };
}

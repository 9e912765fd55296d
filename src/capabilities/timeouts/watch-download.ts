import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type BeginWait, createDeadlines } from "./deadlines.ts";

/** Watches whether a client takes its answer; the function that comes back ends that. */
export type WatchDownload = (res: ServerResponse, expire: () => void) => () => void;

const looksPerLimit = 4;

/**
 * Makes the watch of all answers that may stand still equally long. A client that takes a single byte now and then goes
 * on, and so does an answer of which there is nothing to send: an event stream may be silent for as long as it likes.
 */
export function createDownloadWatch(limit: number): WatchDownload {
  const beginWait = createDeadlines(limit / looksPerLimit);
  return function watchDownload(res, expire) {
    // A response that waits for the answers to earlier requests has no socket, but stands still together with them.
    return look(beginWait, createStandstill(res.req.socket), expire);
  };
}

function look(beginWait: BeginWait, standsStill: () => boolean, expire: () => void): () => void {
  let looksWithoutProgress = 0;
  let stop = beginWait(lookAgain);
  return () => stop();

  function lookAgain(): void {
    looksWithoutProgress = standsStill() ? looksWithoutProgress + 1 : 0;
    if (looksWithoutProgress >= looksPerLimit) expire();
    else stop = beginWait(lookAgain);
  }
}

/** What Node's sockets keep of the system's queue (seen in 22 to 24): it moves within a large piece, too. */
type WithQueue = Socket & Readonly<{ _handle?: Readonly<{ writeQueueSize?: number }> | null }>;

/** Tells whether bytes wait for a client that has taken none since the last look. */
function createStandstill(socket: WithQueue): () => boolean {
  let taken = -1;
  let queued: number | undefined;
  return function standsStill() {
    const { writableLength } = socket;
    const earlier = { taken, queued };
    taken = socket.bytesWritten - writableLength;
    queued = socket._handle?.writeQueueSize;
    return writableLength > 0 && taken === earlier.taken && queued === earlier.queued;
  };
}

import { UpstreamError } from "../errors.ts";
import { every } from "../unattended/guarded.ts";

/** A long document that is read while others may wait for it. */
type Reading = Readonly<{
  areOthersWaiting: () => boolean;
  readBytes: () => number;
  giveUp: (reason: Error) => void;
}>;

const leastMebibytes = 1;
const leastBytes = leastMebibytes * 1_024 * 1_024;
const lookMilliseconds = 10;
// A hundred looks make a second, and longer where the process is busy: then it is not the service that is slow.
const looksUntilJudged = 100;

const message = `The service took longer than a second for ${leastMebibytes} MiB, and others waited.`;

/** Gives up a document that comes too slowly while others wait all the time; returns what ends the watch. */
export function watchPace({ areOthersWaiting, readBytes, giveUp }: Reading): () => void {
  let looks = 0;
  let bytesBefore = 0;
  const timer = every(lookMilliseconds, look);
  return () => clearInterval(timer);

  function look(): void {
    if (looks === 0 || !areOthersWaiting()) begin();
    else if (looks < looksUntilJudged) looks += 1;
    else if (readBytes() - bytesBefore < leastBytes) giveUp(new UpstreamError("answer-timeout", message));
    else begin();
  }

  function begin(): void {
    looks = areOthersWaiting() ? 1 : 0;
    bytesBefore = readBytes();
  }
}

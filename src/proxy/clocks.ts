import type { IncomingMessage } from "node:http";
import { RequestError, UpstreamError } from "../errors.ts";
import type { BeginWait } from "./deadlines.ts";

/** What a request may take, by phase: the wait for an answer, and milliseconds of a stalled upload. */
export type TimeLimits = Readonly<{ answer: BeginWait; upload: number }>;

type Expire = (error: Error) => void;

/** Starts the time limits of one call: while the body comes in, its stalls; after the last byte, the wait for an answer. */
export function startClocks(
  req: IncomingMessage,
  limits: TimeLimits,
  isStreaming: boolean,
  expire: Expire,
): () => void {
  if (!isStreaming || req.complete) return startAnswerClock(limits.answer, expire);
  let stopAnswer: (() => void) | undefined;
  const stopUpload = startUploadClock(req, limits.upload, expire);
  req.once("end", startAnswer);
  return function stopClocks() {
    req.off("end", startAnswer);
    stopUpload();
    stopAnswer?.();
  };

  function startAnswer(): void {
    stopUpload();
    stopAnswer = startAnswerClock(limits.answer, expire);
  }
}

function startAnswerClock(beginWait: BeginWait, expire: Expire): () => void {
  return beginWait(() => expire(new UpstreamError("answer-timeout", "The upstream did not answer in time.")));
}

const looksPerLimit = 4;

/** Looks at the socket rather than at the body: a listener for its data would set the body flowing. */
function startUploadClock(req: IncomingMessage, limit: number, expire: Expire): () => void {
  let bytesSeen = req.socket.bytesRead;
  let looksWithoutProgress = 0;
  const timer = setInterval(look, limit / looksPerLimit);
  return () => clearInterval(timer);

  function look(): void {
    const { bytesRead } = req.socket;
    looksWithoutProgress = bytesRead === bytesSeen ? looksWithoutProgress + 1 : 0;
    bytesSeen = bytesRead;
    if (looksWithoutProgress < looksPerLimit) return;
    // What waits here unread, the upstream does not take.
    if (req.readableLength > 0)
      expire(new UpstreamError("answer-timeout", "The upstream stopped reading the request."));
    else expire(new RequestError("upload-stalled", "The request's body stopped coming in."));
  }
}

import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { UpstreamError } from "../../errors.ts";
import { listenOnce } from "../../unattended/guarded.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { BeginWait } from "../../unattended/deadlines.ts";
import { watchUpload } from "./watch-upload.ts";

/** What a request may take, by phase: the wait for an answer, and milliseconds of a stalled upload. */
export type TimeLimits = Readonly<{ answer: BeginWait; upload: number }>;

/** What is sent: the client's body, one that a delegating handler gives, or one that is complete. */
export type Sent = Readonly<{ req: IncomingMessage; body: OutgoingRequest["body"] }>;

/** Starts the time limits of one call: while the body is sent, its stalls; after the last byte, the wait for an answer. */
export function startClocks({ req, body }: Sent, limits: TimeLimits, expire: (error: Error) => void): () => void {
  if (!(body instanceof Readable) || isComplete(body, req)) return startAnswerClock(limits.answer, expire);
  let stopAnswer: (() => void) | undefined;
  const stopUpload = watchUpload(req, body, { limit: limits.upload, expire });
  const starting = listenOnce(body, "end", startAnswer);
  return function stopClocks() {
    body.off("end", starting);
    stopUpload();
    stopAnswer?.();
  };

  function startAnswer(): void {
    stopUpload();
    stopAnswer = startAnswerClock(limits.answer, expire);
  }
}

/** Whether all of a body is there; the client's is complete once all of it has come in. */
export function isComplete(body: Readable, req: IncomingMessage): boolean {
  return body === req ? req.complete : body.readableEnded;
}

function startAnswerClock(beginWait: BeginWait, expire: (error: Error) => void): () => void {
  return beginWait(() => expire(new UpstreamError("answer-timeout", "The upstream did not answer in time.")));
}

import { Readable } from "node:stream";
import type { Sink } from "../bodies/answer-body.ts";
import { createStreamBody } from "../bodies/stream-body.ts";
import type { EngineAnswer } from "./engines/engine.ts";

// More than what a redirect or an error page has to say is cheaper on another connection.
const mostBytes = 65_536;

/** Reads to its end an answer that nobody wants, so that its connection can be used again; a long one is broken off. */
export function drainAnswer({ body }: EngineAnswer): Promise<void> {
  const unwanted = body instanceof Readable ? createStreamBody(body) : body;
  return new Promise((resolve) => {
    let bytes = 0;
    const sink: Sink = {
      write(piece) {
        bytes += piece.length;
        if (bytes > mostBytes) unwanted.flow.abort(new Error("Nobody wants the rest of the answer."));
        return true;
      },
      end: () => resolve(),
      fail: () => resolve(),
    };
    unwanted.sendTo(sink);
  });
}

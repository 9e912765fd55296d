import type { Readable } from "node:stream";
import type { Logger } from "../../logging/logger.ts";
import { listenOnce } from "../../unattended/guarded.ts";
import { endTakers } from "./end-takers.ts";

/** Closes what a stream that code has made of a body is piped into, where that fails and nobody else hears of it. */
export function hearUnheard(made: Readable, body: Readable, logger: Logger | undefined): void {
  listenOnce(made, "error", (error: Error & { code?: unknown }) => {
    if (made.listenerCount("error") > 0) return;
    endTakers(made);
    // Why the body itself ends is logged elsewhere.
    if (error !== body.errored && error.code !== "ERR_STREAM_PREMATURE_CLOSE") logger?.warn({ err: error }, unheard);
  });
}

const unheard =
  "A stream that code has made of a body (map, compose) failed, and nobody listens to that: what it was piped into has been " +
  "closed. Use pipeline(), or listen to its errors.";

import type { Readable } from "node:stream";
import { isSpent } from "./gone-body.ts";
import { isStream } from "./is-stream.ts";
import { heedFlow, ignoreFlow, listen, listenOnce } from "../unattended/guarded.ts";

const held = new WeakSet<Readable>();

/**
 * Holds what a body gives until the gateway reads it by a loop: code that has the body, too, may set it flowing at any time, by
 * a pipe whose target has room again, by a listener that comes late, or by `resume()`. It hears what the gateway reads.
 */
export function holdUntilRead(body: Readable): void {
  // Of a stream that is on its way to somebody else nothing is held, and those of other libraries may say nothing of that.
  if (isSpent(body) || held.has(body) || !isStream(body) || !("readableFlowing" in body)) return;
  held.add(body);
  if (body.readableFlowing !== null) return ignoreFlow(body);
  // Nobody has begun to read it, and nothing is read ahead until somebody does.
  listen(body, "newListener", (event: string) => {
    if (event === "data") stopFlow(body);
  });
  listenOnce(body, "resume", () => stopFlow(body));
}

/** Lets a body flow that the gateway is about to read by a listener, or by a pipe. */
export function letFlowToGateway(body: Readable): void {
  if (held.delete(body)) heedFlow(body);
}

function stopFlow(body: Readable): void {
  if (held.has(body)) ignoreFlow(body);
}

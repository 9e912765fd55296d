import { Readable } from "node:stream";
import { isComplete } from "../capabilities/timeouts/call-clocks.ts";
import { listenOnce } from "../unattended/guarded.ts";
import type { Call } from "./call.ts";

/** A client that sends a byte a minute would keep the host from all others, which try it beside such an upload. */
export function makeRoomWhileUploading({ outgoing: { body }, req, lease }: Call): void {
  if (body instanceof Readable && !isComplete(body, req) && lease.goesUp()) listenOnce(body, "end", () => lease.sent());
}

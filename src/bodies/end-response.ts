import type { ServerResponse } from "node:http";
import { listenOnce } from "../unattended/guarded.ts";

const shortLength = 4_096;

/** Ends the client's response, with the last bytes of its body if there are any. */
export function endResponse(res: ServerResponse, last: Buffer | undefined): void {
  // Head and body of a short answer leave as one text: joining them is much cheaper than a write of two buffers.
  if (last === undefined || last.length > shortLength) res.end(last);
  else res.end(last.toString("latin1"), "latin1");
}

/** Ends the client's response with a body that is all there; resolves when it is out. */
export function endWith(res: ServerResponse, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    listenOnce(res, "close", resolve);
    endResponse(res, body);
  });
}

import type { ServerResponse } from "node:http";
import { interceptSending } from "./intercept-sending.ts";
import { nodesEnd } from "./is-written-by-node.ts";

const lastChunk = "0\r\n";

/**
 * Lets out what waits in a corked response as it is ended by this function: it would leave behind the last chunk (seen in Node
 * 24). An end of middleware may come later, and who has corked the response may uncork it until then: to do so in his place
 * would have Node count below nothing, which it takes for corked.
 */
export function letCorkedOut(res: ServerResponse, end: unknown): void {
  if (res.writableCorked === 0) return;
  if (end === nodesEnd) uncorkAll(res);
  else
    interceptSending(res, (piece) => {
      if (typeof piece === "string" && piece.startsWith(lastChunk)) uncorkAll(res);
      return "send";
    });
}

function uncorkAll(res: ServerResponse): void {
  while (res.writableCorked > 0) res.uncork();
}

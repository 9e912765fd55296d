import { ServerResponse } from "node:http";

const shortLength = 4_096;
const nodesEnd: unknown = Reflect.get(ServerResponse.prototype, "end");

/** Ends the client's response, by its own function or an earlier one, with the last bytes of its body if there are any. */
export function endResponse(
  res: ServerResponse,
  last: Buffer | undefined,
  end: ServerResponse["end"] = Reflect.get<ServerResponse, "end">(res, "end"),
): void {
  // What waits in a corked response would leave behind its last chunk (seen in Node 24).
  while (res.writableCorked > 0) res.uncork();
  // Head and body of a short answer leave as one text: joining them is much cheaper than a write of two buffers. Middleware
  // that collects bodies expects bytes.
  const isJoined = last !== undefined && last.length <= shortLength && end === nodesEnd;
  Reflect.apply(end, res, isJoined ? [last.toString("latin1"), "latin1"] : [last]);
}

/** Ends the client's response with a body that is all there. */
export function endWith(res: ServerResponse, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    endResponse(res, body);
    resolve();
  });
}

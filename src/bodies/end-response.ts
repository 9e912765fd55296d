import { ServerResponse } from "node:http";
import { lingerWhileUploading } from "./linger-while-uploading.ts";

/** Of longer bodies no text is made. */
export const longestJoined = 4_096;
const nodesEnd: unknown = Reflect.get(ServerResponse.prototype, "end");

/** Ends the client's response, by its own function or an earlier one, with the last bytes of its body if there are any. */
export function endResponse(
  res: ServerResponse,
  last: Buffer | undefined,
  end: ServerResponse["end"] = Reflect.get<ServerResponse, "end">(res, "end"),
  toText = toLatin1,
): void {
  lingerWhileUploading(res);
  // What waits in a corked response would leave behind its last chunk (seen in Node 24).
  while (res.writableCorked > 0) res.uncork();
  // Head and body of a short answer leave as one text: joining them is much cheaper than a write of two buffers. Middleware
  // that collects bodies expects bytes.
  const isJoined = last !== undefined && last.length <= longestJoined && end === nodesEnd;
  Reflect.apply(end, res, isJoined ? [toText(last), "latin1"] : [last]);
}

/** Ends the client's response with a body that is all there; whoever gives it again and again may remember its text. */
export function endWith(res: ServerResponse, body: Buffer, toText?: (body: Buffer) => string): Promise<void> {
  return new Promise((resolve) => {
    endResponse(res, body, undefined, toText);
    resolve();
  });
}

function toLatin1(bytes: Buffer): string {
  return bytes.toString("latin1");
}

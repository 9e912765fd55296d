import { ServerResponse } from "node:http";

const nodesWriteHead = Reflect.get(ServerResponse.prototype, "writeHead");

/**
 * Lets the head of an error be written, whatever middleware that stands before Node's `writeHead` throws. Express's own error
 * handler, for one, writes it from a listener, above which no code would catch that.
 */
export function ensureHead(res: ServerResponse): void {
  const writeHead = Reflect.get<ServerResponse, "writeHead">(res, "writeHead");
  if (writeHead === nodesWriteHead) return;
  res.writeHead = function writeHeadAllTheSame(...head: unknown[]): ServerResponse {
    // Whoever writes a second head learns of it.
    if (res.headersSent) return Reflect.apply(writeHead, res, head) as ServerResponse;
    try {
      Reflect.apply(writeHead, res, head);
    } catch {
      writeWithout(res, head);
    }
    return res;
  };
}

/** Node refuses trailers that middleware announces where no chunks follow. */
function writeWithout(res: ServerResponse, head: unknown[]): void {
  if (res.headersSent) return;
  res.removeHeader("trailer");
  Reflect.apply(nodesWriteHead, res, head);
}

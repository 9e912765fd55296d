import { ServerResponse } from "node:http";
import { cutConnection } from "./cut-connection.ts";

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
    } catch (error) {
      if (isSecondHead(error)) cutConnection(res);
      else writeWithout(res, head);
    }
    return res;
  };
}

/** Whether middleware has begun an answer of its own from within, of which nothing fits what comes. */
function isSecondHead(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_HTTP_HEADERS_SENT";
}

/** Node refuses trailers that middleware announces where no chunks follow. */
function writeWithout(res: ServerResponse, head: unknown[]): void {
  if (res.headersSent) return;
  res.removeHeader("trailer");
  Reflect.apply(nodesWriteHead, res, head);
}

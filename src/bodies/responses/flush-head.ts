import { OutgoingMessage, type ServerResponse } from "node:http";

/** Sends the head of a response at once. A head is a character a byte, but Node's own `flushHeaders` writes it as UTF-8. */
export function flushHead(res: ServerResponse): void {
  if (!res.headersSent) res.flushHeaders();
  // Middleware that collects or compresses bodies has its own `write`, which must not see a piece that is none.
  else if (!res.writableEnded) Reflect.apply(writeText, res, ["", "latin1"]);
}

const writeText = Reflect.get(OutgoingMessage.prototype, "write");

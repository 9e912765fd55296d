import type { IncomingMessage } from "node:http";

/**
 * Whether an upgrade that Node has recognised is to a WebSocket, among other protocols perhaps. An upgrade to another
 * protocol is an ordinary request, and so is any upgrade before HTTP/1.1.
 */
export function asksForWebSocket({
  headers: { upgrade = "" },
  httpVersion,
}: Pick<IncomingMessage, "headers" | "httpVersion">): boolean {
  if (httpVersion === "1.0") return false;
  return upgrade.split(",").some((protocol) => protocol.trim().toLowerCase() === "websocket");
}

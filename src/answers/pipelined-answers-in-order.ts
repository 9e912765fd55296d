import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { interceptSending } from "../bodies/responses/intercept-sending.ts";

/** Whether the head that Node has made of an answer has left (seen in 20 to 24). */
type QueuedResponse = { readonly _headerSent?: boolean };

/**
 * Lets an answer to a request that no route takes, which may wait for the answers to earlier requests, leave in order, or
 * not at all; for any other it does nothing. Node (24.21) puts its head before an interim answer that it has kept already,
 * such as its own `100 Continue`, if the body begins with bytes: that would stand between head and body, and move the end of
 * the body into the next answer. And one that was destroyed while it waited would send what it has kept, on a connection that nobody ends.
 */
export function keepInTurn(res: ServerResponse): void {
  if (res.socket !== null) return;
  // Middleware may make the head whenever it likes, by a function that it has kept.
  interceptSending(res, () => {
    const { _headerSent: isHeadOut } = res as QueuedResponse;
    return isHeadOut === true || res.writableLength === 0 ? "send" : "behind its head";
  });
  const assignSocket = Reflect.get<ServerResponse, "assignSocket">(res, "assignSocket");
  res.assignSocket = function takeTurn(socket: Socket): void {
    if (res.destroyed) socket.destroy();
    else Reflect.apply(assignSocket, res, [socket]);
  };
}

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { flushHead } from "../bodies/flush-head.ts";
import { isForHead } from "./answer-framing.ts";

/**
 * Lets a response that waits for the answers to earlier requests leave in order, or not at all; for any other it does
 * nothing. Node (24.21) puts its head before an interim answer that it has kept already, such as its own `100 Continue`,
 * if the body begins with bytes: that would stand between head and body, and move the end of the body into the next answer.
 * And one that was destroyed while it waited would send what it has kept, on a connection that nobody ends.
 */
export function keepInTurn(res: ServerResponse): void {
  if (res.socket !== null) return;
  const writeHead = Reflect.get<ServerResponse, "writeHead">(res, "writeHead");
  const assignSocket = Reflect.get<ServerResponse, "assignSocket">(res, "assignSocket");
  res.writeHead = function writeHeadInTurn(...head: unknown[]): ServerResponse {
    Reflect.apply(writeHead, res, head);
    if (res.headersSent && !isForHead(res)) flushHead(res);
    return res;
  };
  res.assignSocket = function takeTurn(socket: Socket): void {
    if (res.destroyed) socket.destroy();
    else Reflect.apply(assignSocket, res, [socket]);
  };
}

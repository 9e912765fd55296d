import { OutgoingMessage } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";

// Where Node defines them: on the way to there others may have put themselves in between, before or after this was loaded.
const nodesWrite = {
  message: Reflect.get(OutgoingMessage.prototype, "write"),
  socket: Reflect.get(Duplex.prototype, "write"),
};

/** Whether nobody stands between a message and the system who might keep what is written. */
export function isNodesOwn(message: OutgoingMessage): boolean {
  return message.write === nodesWrite.message && isNodesOwnSocket(message.socket);
}

/** Whether nobody stands between a socket and the system who might keep what is written. */
export function isNodesOwnSocket(socket: Socket | null): boolean {
  if (socket?.write !== nodesWrite.socket) return false;
  return socket.constructor === Socket || socket.constructor === TLSSocket;
}

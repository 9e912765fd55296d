import type { Socket } from "node:net";

const noLength = "content-length: 0\r\n\r\n";
const headEnd = "\r\n";
const noChunks = "transfer-encoding: chunked\r\n\r\n0\r\n\r\n";

/**
 * Lets the head that is written next announce chunks, of which there are none: undici (8.12) holds the head of a request
 * back until a first byte of its body is there, and declares a length of 0, or nothing at all, where none comes.
 */
export function sendNoChunks(socket: Socket): void {
  const isOwn = Object.hasOwn(socket, "write");
  const write = Reflect.get<Socket, "write">(socket, "write");
  socket.write = function writeHead(head: unknown, ...rest: unknown[]): boolean {
    if (isOwn) socket.write = write;
    else Reflect.deleteProperty(socket, "write");
    return Reflect.apply(write, socket, [typeof head === "string" ? announceChunks(head) : head, ...rest]) as boolean;
  };
}

function announceChunks(head: string): string {
  if (head.endsWith(noLength)) return head.slice(0, -noLength.length) + noChunks;
  return head.endsWith(headEnd) ? head.slice(0, -headEnd.length) + noChunks : head;
}

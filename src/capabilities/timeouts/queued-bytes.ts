import type { Socket } from "node:net";

/** What Node's sockets keep of the system's queue (seen in 22 to 24): it moves within a large piece, too. */
type WithQueue = Socket & Readonly<{ _handle?: Readonly<{ writeQueueSize?: number }> | null }>;

/** Bytes that a socket has handed to the system, and that the system has not taken yet; undefined where nobody knows. */
export function queuedBytes(socket: Socket): number | undefined {
  return (socket as WithQueue)._handle?.writeQueueSize;
}

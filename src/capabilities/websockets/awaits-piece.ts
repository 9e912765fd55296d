import type { Socket } from "node:net";

/** What Node keeps of a connection's stream (seen in 20 to 24). */
type ReadSocket = Socket & Readonly<{ _readableState: Readonly<{ reading: boolean }> }>;

/**
 * Whether the stream of a connection has asked for a piece that is still to come: it asks for no other before, so that a
 * connection that is stopped meanwhile is read no more by itself.
 */
export function awaitsPiece(socket: Socket): boolean {
  return (socket as ReadSocket)._readableState.reading;
}

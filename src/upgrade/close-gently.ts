import type { Socket } from "node:net";

const usualPatience = 10_000;

/**
 * Closes a connection so that what was written still arrives: what comes in meanwhile is read and dropped, since a
 * connection that is closed with unread bytes is reset. A peer that does not close too is waited for, but not for ever.
 */
export function closeGently(socket: Socket, patience: number = usualPatience): void {
  if (socket.destroyed) return;
  const timer = setTimeout(destroy, patience).unref();
  socket.on("error", ignore).once("close", () => clearTimeout(timer));
  socket.resume().end();

  function destroy(): void {
    socket.destroy();
  }
}

function ignore(): void {
  // Whatever fails now, the connection is over.
}

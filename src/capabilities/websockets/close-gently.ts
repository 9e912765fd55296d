import type { Socket } from "node:net";
import { after, ignoreErrors, listenOnce } from "../../unattended/guarded.ts";

const usualPatience = 10_000;

/**
 * Closes a connection so that what was written still arrives: what comes in meanwhile is read and dropped, since a
 * connection that is closed with unread bytes is reset. A peer that does not close too is waited for, but not for ever.
 */
export function closeGently(socket: Socket, patience: number = usualPatience): void {
  if (socket.destroyed) return;
  const timer = after(patience, destroy).unref();
  ignoreErrors(socket);
  listenOnce(socket, "close", () => clearTimeout(timer));
  socket.resume().end();

  function destroy(): void {
    socket.destroy();
  }
}

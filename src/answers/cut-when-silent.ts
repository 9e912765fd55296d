import type { Socket } from "node:net";
import { every } from "../unattended/guarded.ts";

/** Milliseconds without a byte of an answer, after which a client is cut of whom nothing more is read: it may have left. */
export const longestSilence = 10_000;

const looks = 10;

/**
 * Cuts a connection from which nothing is read once nothing has been written there for so long: unread, it does not tell
 * that the client leaves, and what is still on its way there fails by itself then. The function that comes back ends the
 * watch.
 */
export function cutWhenSilent(socket: Socket, milliseconds = longestSilence): () => void {
  let written = socket.bytesWritten;
  let silentLooks = 0;
  const timer = every(
    milliseconds / looks,
    () => {
      const isSilent = socket.bytesWritten === written && socket.writableLength === 0;
      written = socket.bytesWritten;
      silentLooks = isSilent ? silentLooks + 1 : 0;
      if (silentLooks === looks) socket.destroy();
      if (socket.destroyed) clearInterval(timer);
    },
    socket,
  ).unref();
  return () => clearInterval(timer);
}

import type { Socket } from "node:net";
import { listen } from "../../unattended/guarded.ts";

/** What a client may send before it is its turn. */
const mostHeld = 65_536;

/**
 * Reads what a client sends before anybody wants it: unread, it would hide that the client leaves. The function that comes
 * back ends that, and gives what has come in; the next listener finds the connection as Node hands one over.
 */
export function holdEarly(socket: Socket): () => Buffer {
  const held: Buffer[] = [];
  let length = 0;
  const holding = listen(socket, "data", hold);
  return function takeHeld() {
    socket.off("data", holding);
    socket.pause();
    // Its next listener sets it flowing.
    Object.assign(socket, { readableFlowing: null });
    return Buffer.concat(held.splice(0));
  };

  function hold(piece: Buffer): void {
    held.push(piece);
    length += piece.length;
    // Paused, the connection would not tell any more that the client leaves, and what comes first may have no end.
    if (length > mostHeld) socket.destroy();
  }
}

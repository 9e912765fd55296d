import type { Socket } from "node:net";
import { listen } from "../../unattended/guarded.ts";

const heeded = new WeakSet<Socket>();

/**
 * Sees to it that nothing is read from a connection of a server while it is paused. A resume comes into effect a tick later,
 * and Node's server reads on from then, though the connection has been paused meanwhile: as it counts as paused already, no
 * later pause would stop that.
 */
export function stopWhilePaused(socket: Socket): void {
  if (heeded.has(socket)) return;
  heeded.add(socket);
  listen(socket, "resume", () => {
    // By this event alone Node's server stops (seen in 22 to 24), for as long as its parser reads the connection.
    if (socket.isPaused()) socket.emit("pause");
  });
}

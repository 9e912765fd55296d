import type { Socket } from "node:net";

/**
 * Remembers the connection of a request, and gives it back: `pipeline` of node:stream takes it off a request whose pipe has
 * failed, so that the response can still be sent.
 */
export function keepConnection(req: { socket: Socket | null }): () => void {
  const { socket } = req;
  return function giveBackConnection() {
    req.socket ??= socket;
  };
}

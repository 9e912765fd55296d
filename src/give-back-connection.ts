import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** A request may have lost its connection; under its old name Node still has it (seen in 20 to 24). */
type LostRequest = { socket: Socket | null; readonly client?: Socket };

/**
 * Gives a request its connection back: `pipeline` of node:stream takes it off a request whose pipe has failed, so that the
 * response can still be sent.
 */
export function giveBackConnection(req: IncomingMessage): void {
  const lost = req as LostRequest;
  // That of an HTTP/2 request cannot be set.
  if (lost.socket !== null) return;
  lost.socket = lost.client ?? null;
}

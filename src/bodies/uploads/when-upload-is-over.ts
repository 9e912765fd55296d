import type { IncomingMessage } from "node:http";
import { listenOnce } from "../../unattended/guarded.ts";

/**
 * Calls back when an upload has come in whole, or comes in no more. Node tells a request that has its answer nothing of the
 * end of its connection (seen in 20 to 24): only the connection itself does.
 */
export function whenUploadIsOver(req: IncomingMessage, callback: () => void): void {
  const { socket } = req;
  const ends = [
    [req, "end"],
    [req, "close"],
    [socket, "close"],
  ] as const;
  const listeners = ends.map(([emitter, event]) => listenOnce(emitter, event, end));

  function end(): void {
    // Further requests may come on the connection.
    ends.forEach(([emitter, event], index) => emitter.off(event, listeners[index]!));
    callback();
  }
}

/** Whether an upload has come in whole, or comes in no more. */
export function isUploadOver({ readableEnded, destroyed, socket }: IncomingMessage): boolean {
  return readableEnded || destroyed || socket.destroyed;
}

import type { Socket } from "node:net";
import { listen } from "./unattended/guarded.ts";
import { illFormedAnswer } from "./ill-formed-answer.ts";
import { countWithinSecond } from "./count-within-second.ts";

const most = 32;
const limited = new WeakSet<Socket>();

/**
 * Ends a connection whose other end offers TLS sessions without end: servers offer some few behind the handshake, and each
 * takes the process some time, together with all others that have come by then.
 */
export function limitSessions(socket: Socket): void {
  // A kept connection serves many requests.
  if (limited.has(socket)) return;
  limited.add(socket);
  const tally = { count: 0, since: -Infinity };
  listen(socket, "session", () => {
    if (countWithinSecond(tally) > most && !socket.destroyed)
      socket.destroy(illFormedAnswer(`More than ${most} TLS sessions within a second.`));
  });
}

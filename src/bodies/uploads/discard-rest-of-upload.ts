import type { IncomingMessage } from "node:http";
import { after } from "../../unattended/guarded.ts";
import { letFlow } from "./let-flow.ts";
import { isUploadOver, whenUploadIsOver } from "./when-upload-is-over.ts";

// As long as Node gives a whole request by default; a server whose uploads may take longer does without that limit.
const longestMilliseconds = 300_000;

const limited = new WeakSet<IncomingMessage>();

/**
 * Lets the rest of an upload flow off; unread, it would keep its connection from ever going on. Middleware that has answered
 * and reads on, as it takes an upload in behind a 202, goes on to get all of it.
 */
export function discardRest(req: IncomingMessage): void {
  req.resume();
  letFlow(req);
  limitRest(req);
}

/** Destroys the connection of a client that takes too long to send a body that no code wants. */
export function limitRest(req: IncomingMessage): void {
  const { socket } = req;
  if (isUploadOver(req) || limited.has(req)) return;
  limited.add(req);
  const patience = after(longestMilliseconds, () => socket.destroy(), socket).unref();
  whenUploadIsOver(req, () => clearTimeout(patience));
}

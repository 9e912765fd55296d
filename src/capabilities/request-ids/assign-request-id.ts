import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const saneId = /^[!-~]{1,128}$/;

/** Passes on the client's request id if it is sane, else makes one; for the upstream, the client and the middleware. */
export function assignRequestId(req: IncomingMessage, res: ServerResponse, key: string): string {
  const name = key.toLowerCase();
  const given = req.headers[name];
  const id = typeof given === "string" && saneId.test(given) ? given : randomUUID();
  req.headers[name] = id;
  res.setHeader(key, id);
  return id;
}

import type { IncomingMessage } from "node:http";
import type { Framing } from "../bodies/request-framing.ts";

/** Whether a request is a CORS preflight: browsers send it without credentials, before the request itself. */
export function isPreflight({ method, headers }: IncomingMessage, framing: Framing): boolean {
  return (
    method === "OPTIONS" &&
    headers.origin !== undefined &&
    headers["access-control-request-method"] !== undefined &&
    framing.kind === "none"
  );
}

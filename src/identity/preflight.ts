import type { IncomingMessage } from "node:http";
import type { Framing } from "../bodies/request-framing.ts";

/** The method by which browsers ask whether a page may send a request. */
export const preflightMethod = "OPTIONS";

/** Whether a request is a CORS preflight: browsers send it without credentials, before the request itself. */
export function isPreflight({ method, headers }: IncomingMessage, framing: Framing): boolean {
  return (
    method === preflightMethod &&
    isFilled(headers.origin) &&
    isFilled(headers["access-control-request-method"]) &&
    framing.kind === "none"
  );
}

/** Whether a request passes the locks of a route as a preflight: only where it goes upstream as what it is. */
export function passesAsPreflight(
  req: IncomingMessage,
  framing: Framing,
  { DownstreamHttpMethod: sentMethod = preflightMethod }: Readonly<{ DownstreamHttpMethod?: string | undefined }>,
): boolean {
  return sentMethod === preflightMethod && isPreflight(req, framing);
}

function isFilled(header: string | undefined): boolean {
  return header !== undefined && header.trim() !== "";
}

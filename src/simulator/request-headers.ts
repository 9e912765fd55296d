import type { IncomingMessage } from "node:http";
import type { Target } from "./target.ts";

const droppedNames: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
]);

const framingNames: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"]);

const methodsWithoutBody: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** Whether a request brings a body that goes on to the service: never for GET. */
export function hasForwardedBody({ method, headers }: IncomingMessage): boolean {
  if (method === "GET") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** The headers for the service as name, value, name, value …, spelt and repeated as the client did. */
export function forwardedHeaders(request: IncomingMessage, target: Target): string[] {
  const isKept = (name: string) => !droppedNames.has(name) && !(request.method === "GET" && framingNames.has(name));
  return [
    "Host",
    target.authority,
    ...filterHeaders(request.rawHeaders, isKept),
    ...ownFraming(request),
    ...forwardedFor(request),
  ];
}

/** Keeps the pairs of a raw header list whose lower-case name passes. */
export function filterHeaders(rawHeaders: readonly string[], isKept: (name: string) => boolean): string[] {
  return rawHeaders.filter((_, index) => isKept(rawHeaders[index - (index % 2)]!.toLowerCase()));
}

/** A POST without a body must say so: without a length Node would send it chunked. */
function ownFraming({ method = "", headers }: IncomingMessage): string[] {
  const isFramed = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return isFramed || methodsWithoutBody.has(method) ? [] : ["Content-Length", "0"];
}

function forwardedFor({ headers, socket }: IncomingMessage): string[] {
  return [
    "X-Forwarded-For",
    appended(headers["x-forwarded-for"], socket.remoteAddress),
    "X-Forwarded-Host",
    appended(headers["x-forwarded-host"], headers.host),
    "X-Forwarded-Proto",
    "http",
  ];
}

function appended(existing: string | string[] | undefined, own: string | undefined): string {
  return [existing, own].flat().filter(Boolean).join(", ");
}

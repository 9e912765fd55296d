import type { IncomingMessage } from "node:http";
import { bodyTooLarge } from "../bodies/uploads/limit-body.ts";
import type { Framing } from "../bodies/request-framing.ts";
import type { RouteLimits, RouteLoad } from "../capabilities/limits/route-limits.ts";
import { type GatewayError, OverloadError, RequestError } from "../errors.ts";
import { mayLackFields, tooManyFields } from "../headers/too-many-fields.ts";

/** What a route allows, and how much of it is taken. */
type Limited = Readonly<{ limits: RouteLimits; load: Readonly<RouteLoad> }>;

/** Whether more requests run than a route allows. */
export function judgeConcurrency({ limits, load }: Limited): GatewayError | undefined {
  return limits.concurrent !== undefined && load.running > limits.concurrent ? overloaded() : undefined;
}

/** Whether too many WebSockets of a route are open for another one. */
export function judgeOpenSockets({ limits, load }: Limited): GatewayError | undefined {
  return limits.sockets !== undefined && load.sockets > limits.sockets ? overloaded() : undefined;
}

/** Whether the URL or the headers of a request are larger than a route allows, or more than the server reads. */
export function judgeHeadSize({ limits }: Limited, req: IncomingMessage): GatewayError | undefined {
  const { url = "", rawHeaders } = req;
  if (url.length > limits.url) {
    return new RequestError(
      "url-too-long",
      `The request's URL is longer than the ${limits.url} characters that are taken here.`,
    );
  }
  if (limits.header !== undefined && headerBytes(rawHeaders) > limits.header) {
    return new RequestError(
      "header-too-large",
      `The request's header fields are larger than the ${limits.header} bytes that are taken here.`,
    );
  }
  return mayLackFields(req) ? tooManyFields() : undefined;
}

/** Whether a body that says how long it is is longer than a route allows. */
export function judgeToldLength({ limits }: Limited, framing: Framing): GatewayError | undefined {
  const isTooLong = framing.kind === "length" && limits.body !== undefined && framing.length > limits.body;
  return isTooLong ? bodyTooLarge(limits.body) : undefined;
}

/** The refusal of a request that comes while too many others run. */
export function overloaded(): OverloadError {
  return new OverloadError("overloaded", "Too many requests at the same time.", { headers: { "retry-after": "1" } });
}

const separatorBytes = 4;

// As on the wire: a colon, a blank and a line end for each field.
function headerBytes(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, (rawHeaders.length / 2) * separatorBytes);
}

import type { IncomingMessage } from "node:http";
import { type GatewayError, OverloadError, RequestError } from "../errors.ts";
import { judgeRequestTarget } from "./judge-request-target.ts";
import type { RequestTarget } from "../urls/request-target.ts";
import { bodyTooLarge } from "../bodies/limit-body.ts";
import type { Framing } from "../bodies/request-framing.ts";
import type { RouteLimits, RouteLoad } from "../capabilities/limits/route-limits.ts";
import { judgeUpgrade, type UpgradeRules } from "../capabilities/websockets/judge-upgrade.ts";

/** What of an exchange decides whether it is refused. */
export type Admittable = Readonly<{
  framing: Framing;
  compiled: Readonly<{ limits: RouteLimits; load: Readonly<RouteLoad>; upgradeRules: UpgradeRules | undefined }>;
  upgrade: object | undefined;
  /** The path below which the gateway is mounted, as the client wrote it. */
  mountPath: string;
}>;

/** What a matched request is refused for before anything is done with it. */
export function findRefusal(
  exchange: Admittable,
  target: RequestTarget,
  req: IncomingMessage,
): GatewayError | undefined {
  const { limits, load } = exchange.compiled;
  if (limits.concurrent !== undefined && load.running > limits.concurrent) return overloaded();
  const { url = "" } = req;
  if (url.length > limits.url) {
    return new RequestError(
      "url-too-long",
      `The request's URL is longer than the ${limits.url} characters that are taken here.`,
    );
  }
  if (limits.header !== undefined && headerBytes(req.rawHeaders) > limits.header) {
    return new RequestError(
      "header-too-large",
      `The request's header fields are larger than the ${limits.header} bytes that are taken here.`,
    );
  }
  const refusal = judgeRequestTarget(target, req.rawHeaders, exchange.mountPath) ?? findUpgradeRefusal(exchange, req);
  if (refusal !== undefined) return refusal;
  const { framing } = exchange;
  if (framing.kind === "coded") return codingUnsupported();
  const isTooLong = framing.kind === "length" && limits.body !== undefined && framing.length > limits.body;
  return isTooLong ? bodyTooLarge(limits.body) : undefined;
}

function codingUnsupported(): RequestError {
  return new RequestError(
    "transfer-coding-unsupported",
    "The body of the request is sent with a transfer coding besides chunked, which nothing here undoes.",
  );
}

function findUpgradeRefusal({ compiled, upgrade }: Admittable, req: IncomingMessage): GatewayError | undefined {
  const { upgradeRules, limits, load } = compiled;
  if (upgrade === undefined || upgradeRules === undefined) return undefined;
  if (limits.sockets !== undefined && load.sockets > limits.sockets) return overloaded();
  return judgeUpgrade(req, upgradeRules);
}

/** The refusal of a request that comes while too many others run. */
export function overloaded(): OverloadError {
  return new OverloadError("overloaded", "Too many requests at the same time.", { headers: { "retry-after": "1" } });
}

/** The refusal of a request that comes after the gateway was told to close. */
export function closing(): OverloadError {
  return new OverloadError("closing", "The gateway is shutting down.", { headers: { connection: "close" } });
}

const separatorBytes = 4;

// As on the wire: a colon, a blank and a line end for each field.
function headerBytes(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, (rawHeaders.length / 2) * separatorBytes);
}

import type { IncomingMessage } from "node:http";
import { type GatewayError, OverloadError, RequestError } from "../errors.ts";
import { judgeConcurrency, judgeHeadSize, judgeOpenSockets, judgeToldLength } from "./judge-limits.ts";
import { judgeRequestTarget } from "./judge-request-target.ts";
import type { RequestTarget } from "../urls/request-target.ts";
import type { Framing } from "../bodies/request-framing.ts";
import type { RouteLimits, RouteLoad } from "../capabilities/limits/route-limits.ts";
import { judgeUpgrade, type UpgradeRules } from "../capabilities/websockets/refuse-websocket.ts";

/** What of an exchange decides whether it is refused. */
type Admittable = Readonly<{
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
  const { compiled, framing, mountPath, upgrade } = exchange;
  return (
    judgeConcurrency(compiled) ??
    judgeHeadSize(compiled, req) ??
    judgeRequestTarget(target, req.rawHeaders, mountPath) ??
    (upgrade === undefined ? undefined : judgeOpening(compiled, req)) ??
    (framing.kind === "coded" ? codingUnsupported() : judgeToldLength(compiled, framing))
  );
}

function judgeOpening(compiled: Admittable["compiled"], req: IncomingMessage): GatewayError | undefined {
  const { upgradeRules } = compiled;
  return upgradeRules && (judgeOpenSockets(compiled) ?? judgeUpgrade(req, upgradeRules));
}

function codingUnsupported(): RequestError {
  return new RequestError(
    "transfer-coding-unsupported",
    "The body of the request is sent with a transfer coding besides chunked, which nothing here undoes.",
  );
}

/** The refusal of a request that comes after the gateway was told to close. */
export function closing(): OverloadError {
  return new OverloadError("closing", "The gateway is shutting down.", { headers: { connection: "close" } });
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { type GatewayError, RequestError } from "../errors.ts";
import type { Headers } from "../delegating-handler.ts";
import { findRefusal } from "../admission/admit-request.ts";
import { assignRequestId } from "../capabilities/request-ids/assign-request-id.ts";
import {
  balancerOf,
  comparedHeaders,
  compileResolvePath,
  hasWebSockets,
  originsOf,
} from "../compiling/compile-forward.ts";
import type { MatchedRequest } from "../routing/match-request.ts";
import { compileLimits, type RouteLimits } from "../capabilities/limits/route-limits.ts";
import type { GatewayOptions } from "../options/options.ts";
import { type Framing, readFraming } from "../bodies/request-framing.ts";
import { refuseUnsafeTarget } from "../forwarding/refuse-unsafe-target.ts";
import { cleanIncomingHeaders } from "../headers/incoming-headers.ts";
import { createOutgoingHeaders } from "../headers/outgoing-headers.ts";
import { declareNoBody } from "../bodies/request-body.ts";
import type { DownstreamPath, MatchedTarget } from "../forwarding/resolve-path.ts";
import { hostOf } from "../forwarding/send-request.ts";
import type { UpstreamTemplate } from "../templates/upstream-template.ts";
import { asksForWebSocket, findUpgradeRefusal } from "../capabilities/websockets/upgrade-request.ts";
import { createUpgradeRules, type UpgradeRules } from "../capabilities/websockets/judge-upgrade.ts";
import type { ExplainedForward, Explanation } from "./explanation.ts";
import { ruleOf } from "./refusal-rules.ts";

/** Options of a gateway that an explanation can take into account. */
export type ExplainOptions = Pick<GatewayOptions, "limits" | "via" | "allowedOrigins">;

/** How one route's requests go upstream, compiled by the functions that the gateway itself uses. */
export type ExplainedWay = Readonly<{
  config: RouteConfig;
  resolvePath: (matched: MatchedTarget) => DownstreamPath;
  origins: readonly string[];
  balancer: string;
  requestIdKey: string | undefined;
  limits: RouteLimits;
  upgradeRules: UpgradeRules | undefined;
  via: boolean;
  compared: ReadonlySet<string>;
}>;

/** What becomes of a matched request. */
export type Outcome = Pick<Explanation, "outcome" | "forwarded" | "refusal">;

const newRequestId = "<a new UUID>";

/** Compiles how a route's requests go upstream. */
export function compileWay(
  config: RouteConfig,
  upstream: UpstreamTemplate,
  global: GlobalConfig,
  options: ExplainOptions,
): ExplainedWay {
  return {
    config,
    resolvePath: compileResolvePath(config, upstream, global),
    origins: originsOf(config, global),
    balancer: balancerOf(config, global),
    requestIdKey: config.RequestIdKey ?? global.RequestIdKey,
    limits: compileLimits(config.Limits, global.Limits, options.limits),
    upgradeRules: hasWebSockets(config)
      ? createUpgradeRules(config.AllowedOrigins ?? global.AllowedOrigins ?? options.allowedOrigins)
      : undefined,
    via: options.via ?? false,
    compared: comparedHeaders(upstream, config.RequestIdKey ?? global.RequestIdKey),
  };
}

/** What becomes of a matched request, as far as no middleware and no handler changes it; its headers are cleaned. */
export function explainForward(
  way: ExplainedWay,
  req: IncomingMessage,
  { match, target }: MatchedRequest<unknown>,
  mountPath: string,
): Outcome {
  const isUpgrade = way.upgradeRules !== undefined && asksForWebSocket(req);
  const refusedUpgrade = isUpgrade ? findUpgradeRefusal(req) : undefined;
  if (refusedUpgrade !== undefined) return refused(refusedUpgrade);
  const framing = readFraming(req.headers);
  const { limits, upgradeRules } = way;
  const compiled = { limits, upgradeRules, load: { running: 1, sockets: 1 } };
  const refusal = findRefusal({ compiled, framing, upgrade: isUpgrade ? {} : undefined }, target, req);
  if (refusal !== undefined) return refused(refusal);
  const values = { captured: match.placeholders, current: match.placeholders };
  try {
    const { path } = way.resolvePath({ values, path: match.path, query: target.query });
    refuseUnsafeTarget(path);
    const forwarded = describeForward(way, req, { path, framing, mountPath, isUpgrade });
    return { outcome: isUpgrade ? "websocket" : "forwarded", forwarded, refusal: undefined };
  } catch (error) {
    if (error instanceof RequestError) return refused(error);
    throw error;
  }
}

function refused({ status, code, message }: GatewayError): Outcome {
  return { outcome: "refused", forwarded: undefined, refusal: { status, code, message, rule: ruleOf(code) } };
}

type Sent = Readonly<{ path: string; framing: Framing; mountPath: string; isUpgrade: boolean }>;

function describeForward(
  { config, origins, balancer, requestIdKey, via, compared }: ExplainedWay,
  req: IncomingMessage,
  sent: Sent,
): ExplainedForward {
  const [origin = "", ...otherOrigins] = origins;
  const method = config.DownstreamHttpMethod ?? req.method!;
  const { headers: given } = req;
  const { headers: cleaned, dropped } = cleanIncomingHeaders(req, { peerIsTrusted: false, compared: () => compared });
  req.headers = cleaned;
  if (requestIdKey !== undefined) noteRequestId(req, requestIdKey);
  const headers = createOutgoingHeaders(req, { mountPath: sent.mountPath, via, given, dropped, compared });
  headers.host = hostOf(origin);
  frame(headers, sent, method);
  const hasChoice = otherOrigins.length > 0;
  return {
    method: sent.isUpgrade ? "GET" : method,
    url: origin + sent.path,
    otherOrigins,
    balancer: hasChoice ? balancer : undefined,
    headers: { ...headers },
  };
}

/** A request id that would be made anew is another one each time. */
function noteRequestId(req: IncomingMessage, key: string): void {
  const name = key.toLowerCase();
  const given = req.headers[name];
  assignRequestId(req, answersNobody, key);
  if (req.headers[name] !== given) req.headers[name] = newRequestId;
}

const answersNobody = { setHeader: () => answersNobody } as unknown as ServerResponse;

function frame(headers: Headers, { framing, isUpgrade }: Sent, method: string): void {
  delete headers["content-length"];
  if (isUpgrade) Object.assign(headers, { connection: "Upgrade", upgrade: "websocket" });
  else if (framing.kind === "chunked") headers["transfer-encoding"] = "chunked";
  else if (framing.kind === "length" && framing.length > 0) headers["content-length"] = String(framing.length);
  else declareNoBody(method, headers);
}

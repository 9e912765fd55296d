import type { IncomingMessage, ServerResponse } from "node:http";
import { findRefusal } from "../admission/find-refusal.ts";
import { declareNoBody } from "../bodies/uploads/request-body.ts";
import { type Framing, readFraming } from "../bodies/request-framing.ts";
import { assignRequestId } from "../capabilities/request-ids/assign-request-id.ts";
import { refuseBodyOfUpgrade } from "../capabilities/websockets/refuse-websocket.ts";
import type { RouteWay } from "../compiling/compile-way.ts";
import type { Headers } from "../delegating-handler.ts";
import { type GatewayError, RequestError } from "../errors.ts";
import type { MatchedTarget } from "../forwarding/resolve-path.ts";
import { refuseFilledTarget } from "../forwarding/refuse-unsafe-target.ts";
import { hostOf, originOf } from "../hosts/host-origin.ts";
import { cleanIncomingHeaders } from "../headers/clean-incoming-headers.ts";
import { createOutgoingHeaders } from "../headers/outgoing-headers.ts";
import type { MatchedRequest } from "../routing/match-request.ts";
import type { ExplainedForward, Explanation } from "./explanation.ts";
import { ruleOf } from "./refusal-rules.ts";
import { asksForWebSocket } from "../capabilities/websockets/asks-for-websocket.ts";

/** What becomes of a matched request. */
export type Outcome = Pick<Explanation, "outcome" | "forwarded" | "refusal">;

const newRequestId = "<a new UUID>";
const hostOfInstance = "<host of the instance>";

/** What else decides: where the gateway is mounted, who judges the client, and what is asked in the end. */
type Circumstances = Readonly<{
  mountPath: string;
  judgeClient: () => GatewayError | undefined;
  changeTarget: (target: MatchedTarget) => MatchedTarget;
}>;

/** What becomes of a matched request, as far as no middleware and no handler changes it; its headers are cleaned. */
export function explainForward(
  way: RouteWay,
  req: IncomingMessage,
  { match, target }: MatchedRequest<unknown>,
  { mountPath, judgeClient, changeTarget }: Circumstances,
): Outcome {
  const isUpgrade = way.upgradeRules !== undefined && asksForWebSocket(req);
  const refusedUpgrade = isUpgrade ? refuseBodyOfUpgrade(req) : undefined;
  if (refusedUpgrade !== undefined) return refused(refusedUpgrade);
  const framing = readFraming(req);
  const { limits, upgradeRules } = way;
  const compiled = { limits, upgradeRules, load: { running: 1, clientless: 0, sockets: 1 } };
  const refusal =
    findRefusal({ compiled, framing, mountPath, upgrade: isUpgrade ? {} : undefined }, target, req) ?? judgeClient();
  if (refusal !== undefined) return refused(refusal);
  const values = { captured: match.placeholders, current: match.placeholders };
  try {
    const matched = { values, path: match.path, query: target.query };
    const { path } = way.target().resolvePath(changeTarget(matched));
    refuseFilledTarget(path);
    const forwarded = describeForward(way, req, { path, framing, mountPath, isUpgrade });
    return { outcome: isUpgrade ? "websocket" : "forwarded", forwarded, refusal: undefined };
  } catch (error) {
    if (error instanceof RequestError) return refused(error);
    throw error;
  }
}

/** The outcome of a request that the gateway answers by itself. */
export function refused({ status, code, message }: GatewayError): Outcome {
  return { outcome: "refused", forwarded: undefined, refusal: { status, code, message, rule: ruleOf(code) } };
}

type Sent = Readonly<{ path: string; framing: Framing; mountPath: string; isUpgrade: boolean }>;

function describeForward(
  { target, requestIdKey, compared }: RouteWay,
  req: IncomingMessage,
  sent: Sent,
): ExplainedForward {
  const { hosts, service = "", balancer, via, method = req.method! } = target();
  const [origin = service, ...otherOrigins] = hosts.present.map(originOf);
  const { headers: given } = req;
  const { headers: cleaned, dropped } = cleanIncomingHeaders(req, { peerIsTrusted: false, compared });
  req.headers = cleaned;
  if (requestIdKey !== undefined) noteRequestId(req, requestIdKey);
  const headers = createOutgoingHeaders(req, { mountPath: sent.mountPath, via, given, dropped, compared: compared() });
  headers.host = hosts.present.length === 0 ? hostOfInstance : hostOf(origin);
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
  else if (framing.kind === "length" && framing.length > 0) headers["content-length"] = framing.text;
  else declareNoBody(method, headers);
}

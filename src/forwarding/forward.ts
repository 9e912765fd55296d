import type { Cancellation } from "../cancellation.ts";
import type { DelegatingHandler, OutgoingRequest, UpstreamResponse } from "../delegating-handler.ts";
import { refuseFilledTarget } from "./refuse-unsafe-target.ts";
import type { OwnBytes } from "../bodies/room-for-copies.ts";
import { limitBody } from "../bodies/limit-body.ts";
import type { HostSeeker } from "../hosts/balancer.ts";
import { hostOf } from "../hosts/host-origin.ts";
import type { HostLease } from "../hosts/lease.ts";
import type { RouteHosts } from "../hosts/route-hosts.ts";
import { copyOutgoing, readMethod } from "./copy-outgoing.ts";
import { readChanged } from "./read-changed.ts";
import { createOutgoingHeaders } from "../headers/outgoing-headers.ts";
import { declareNoBody, takeBody } from "../bodies/request-body.ts";
import type { DownstreamPath, MatchedTarget } from "./resolve-path.ts";
import { runHandlers } from "./run-handlers.ts";
import { type AskingRequest, type Call, leaseUntilEnd, redirect, type SendingWatch } from "./call.ts";
import { refusalOfOwnAnswer } from "./refuse-own-answer.ts";
import { createSendSurrounded } from "./send-surrounded.ts";
import { tellSent } from "./tell-surroundings.ts";
import { type Answering, surround, type Surrounding } from "./surround.ts";
import { watchOutgoingBody } from "../bodies/watch-outgoing-body.ts";
import { watchOrigin } from "./watch-origin.ts";
import { endWhenBodyIsRefused } from "./end-when-body-is-refused.ts";
import { frameChangedBody } from "./frame-body-of-handler.ts";

/** How a route's requests go upstream. */
export type ForwardSettings<Request = ForwardableRequest> = Readonly<{
  resolvePath: (matched: MatchedTarget) => DownstreamPath;
  hosts: RouteHosts;
  send: (call: Call) => Promise<UpstreamResponse>;
  /** Whether `send` follows redirects. */
  followsRedirects: boolean;
  /** What policies make of the target, and of the request that is sent, before any handler sees it. */
  targetChanges: readonly ((target: MatchedTarget, request: Request) => MatchedTarget)[];
  requestChanges: readonly ((outgoing: OutgoingRequest, request: Request) => void)[];
  /** What stands around the choice of a host, and what around the sending alone. */
  aroundHost: readonly Surrounding<Request>[];
  aroundSending: readonly Surrounding<Request>[];
  handlers: readonly DelegatingHandler[];
  /** Replaces the client's method. */
  method: string | undefined;
  bodyLimit: number | undefined;
  via: boolean;
  /** Names in lower case of headers that the route compares or sets. */
  compared: ReadonlySet<string>;
}>;

/** A matched request whose middleware is done. */
export type ForwardableRequest = Readonly<{
  matched: MatchedTarget;
  mountPath: string;
  /** Those of them that were dropped when the route matched. */
  dropped: readonly string[] | undefined;
  cancellation: Cancellation;
  observation: SendingWatch | undefined;
  /** Only of a part: copies bytes for its handlers that other parts send, too. */
  ownBytes?: OwnBytes;
}> &
  HostSeeker &
  AskingRequest;

/** Prepares how a route's requests are built, handed through the delegating handlers, and sent. */
export function createForward<Request extends ForwardableRequest>(
  settings: ForwardSettings<Request>,
): (request: Request) => Answering {
  const { resolvePath, hosts, handlers, aroundHost, compared } = settings;
  const isSurrounded = aroundHost.length > 0;
  const sendOn = createSendSurrounded({ send: settings.send, around: settings.aroundSending, hosts });

  return function forward(request) {
    const { path, service } = resolvePath(changeTarget(request, settings));
    refuseFilledTarget(path);
    const outgoing = createOutgoing(request, settings, path);
    // Most routes have nothing around: the functions for it would be made for each request.
    if (!isSurrounded) return sendOnceKnown(outgoing, request, service);
    return surround(aroundHost, (sent, asker) => sendOnceKnown(sent, asker, service))(outgoing, request);
  };

  function sendOnceKnown(outgoing: OutgoingRequest, request: Request, service: Service): Promise<UpstreamResponse> {
    const waiting = hosts.ready();
    if (waiting === undefined) return sendToHost(outgoing, request, service);
    return unlessGone(request, waiting).then(() => sendToHost(outgoing, request, service));
  }

  function sendToHost(outgoing: OutgoingRequest, request: Request, service: Service): Promise<UpstreamResponse> {
    const lease = leaseUntilEnd(hosts.choose(request), request.cancellation);
    outgoing.origin = lease.origin;
    outgoing.headers.host = hostOf(lease.origin);
    request.askedOrigin = lease.origin;
    const call = createCall(outgoing, request, { lease, service });
    if (handlers.length > 0) {
      expectHandlers(request, settings);
      const { body: clientBody, origin } = outgoing;
      const before = { ...request, path: outgoing.path, service, clientBody, origin, compared, hasSent: false };
      // What stands around keeps a request that no handler changes.
      const handed = watchOrigin(watchOutgoingBody(isSurrounded ? copyOutgoing(outgoing) : outgoing, request), request);
      const send = (changed: OutgoingRequest): Promise<UpstreamResponse> =>
        sendChanged(readChanged(changed, before), { given: call, request, before });
      const handled = { outgoing: handed, known: isSurrounded ? outgoing : undefined, request, send };
      const run = (): Promise<UpstreamResponse> => runHandlers(handlers, handled);
      const answering = endWhenBodyIsRefused({ body: clientBody, cancellation: request.cancellation }, run);
      return request.refuseOtherMethod === undefined ? answering : unlessOwn(answering, request);
    }
    return sendOn(call, request);
  }

  function sendChanged(
    outgoing: OutgoingRequest,
    { given, request, before }: Readonly<{ given: Call; request: Request; before: BeforeHandlers }>,
  ): Promise<UpstreamResponse> {
    if (isSurrounded) tellSent(given.outgoing, outgoing);
    const call = { ...given, outgoing, lease: leaseFor(given, before, { origin: outgoing.origin, hosts }) };
    redirect(call, call.lease.origin);
    frameChangedBody(outgoing, before);
    return sendOn(call, request);
  }
}

/** What stands around the sending may want to know which origins handlers set. */
function expectHandlers(
  request: Call["asker"],
  { followsRedirects, aroundSending }: Readonly<{ followsRedirects: boolean; aroundSending: readonly unknown[] }>,
): void {
  if (followsRedirects) request.wasRedirected = undefined;
  if (aroundSending.length > 0) request.isHostOfCode ??= false;
}

/** The host of a handler's call: the one of the request, unless the handler sends elsewhere, or once more. */
function leaseFor(
  { lease, asker, cancellation }: Call,
  before: BeforeHandlers,
  { origin, hosts }: Readonly<{ origin: string; hosts: RouteHosts }>,
): HostLease {
  const { hasSent } = before;
  before.hasSent = true;
  const isThere = origin === lease.origin;
  if (isThere && !hasSent) return lease;
  if (!hasSent) lease.release();
  return leaseUntilEnd(isThere ? hosts.again(lease, asker) : hosts.at(origin), cancellation);
}

type Service = DownstreamPath["service"];

function createCall(
  outgoing: OutgoingRequest,
  request: ForwardableRequest,
  { lease, service }: Pick<Call, "lease" | "service">,
): Call {
  const { context, cancellation, observation } = request;
  const addressed = lease.origin;
  return { outgoing, req: context.req, cancellation, observation, service, addressed, lease, asker: request };
}

/** A client that leaves while nobody knows yet where its request goes is not waited for. */
async function unlessGone({ cancellation }: ForwardableRequest, waiting: Promise<void>): Promise<void> {
  let gone: Error | undefined;
  cancellation.onCancel((reason) => (gone = reason));
  await waiting;
  if (gone !== undefined) throw gone;
}

/** Whoever came past a lock as a CORS preflight is given no answer that handlers have made alone. */
async function unlessOwn(answering: Promise<UpstreamResponse>, request: AskingRequest): Promise<UpstreamResponse> {
  const answer = await answering;
  const refusal = refusalOfOwnAnswer(answer, request);
  if (refusal !== undefined) throw refusal;
  return answer;
}

/** What the calls of handlers for one request have in common. */
type BeforeHandlers = Pick<ForwardableRequest, "framing"> &
  Readonly<{ clientBody: OutgoingRequest["body"] }> & { hasSent: boolean };

function changeTarget<Request extends ForwardableRequest>(
  request: Request,
  { targetChanges }: ForwardSettings<Request>,
): MatchedTarget {
  return targetChanges.reduce((target, change) => change(target, request), request.matched);
}

/** The origin of a request for which none has been chosen. */
const noHostYet = "";

/** What is to be sent, as far as it does not depend on the host. */
function createOutgoing<Request extends ForwardableRequest>(
  request: Request,
  { method, bodyLimit, via, compared, requestChanges }: ForwardSettings<Request>,
  path: string,
): OutgoingRequest {
  const { context, framing, mountPath, given, dropped } = request;
  const { req } = context;
  const headers = createOutgoingHeaders(req, { mountPath, via, given, dropped, compared });
  const taken = takeBody(req, framing, headers);
  const body = bodyLimit === undefined ? taken : limitBody(taken, bodyLimit, framing);
  const sentMethod = readMethod(method ?? req.method ?? "GET");
  if (body === null) declareNoBody(sentMethod, headers);
  const outgoing = { method: sentMethod, origin: noHostYet, path, headers, body };
  for (const change of requestChanges) change(outgoing, request);
  return outgoing;
}

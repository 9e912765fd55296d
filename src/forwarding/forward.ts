import type { OutgoingRequest, UpstreamResponse } from "../delegating-handler.ts";
import { refuseFilledTarget } from "./refuse-unsafe-target.ts";
import { limitBody } from "../bodies/uploads/limit-body.ts";
import { hostOf } from "../hosts/host-origin.ts";
import { readMethod } from "./copy-outgoing.ts";
import { createOutgoingHeaders } from "../headers/outgoing-headers.ts";
import { noBodiesYet } from "../bodies/with-code/bodies-with-code.ts";
import { declareNoBody, takeBody } from "../bodies/uploads/request-body.ts";
import type { DownstreamPath, MatchedTarget } from "./resolve-path.ts";
import { type Call, leaseUntilEnd } from "./call.ts";
import type { ForwardableRequest, ForwardSettings } from "./forward-settings.ts";
import { outlast } from "../bodies/with-code/outlast-exchange.ts";
import { createSendSurrounded } from "./send-surrounded.ts";
import { createSendThroughHandlers } from "./send-through-handlers.ts";
import { type Answering, surround } from "./surround.ts";

/** Prepares how a route's requests are built, handed through the delegating handlers, and sent. */
export function createForward<Request extends ForwardableRequest>(
  settings: ForwardSettings<Request>,
): (request: Request) => Answering {
  const { resolvePath, hosts, handlers, aroundHost, hasResponder } = settings;
  const isSurrounded = aroundHost.length > 0;
  const isSeenByCode = hasResponder || handlers.length > 0;
  const sendOn = createSendSurrounded({ send: settings.send, around: settings.aroundSending, hosts });
  const sendToOne = handlers.length === 0 ? sendOn : createSendThroughHandlers({ ...settings, isSurrounded, sendOn });

  return function forward(request) {
    if (isSeenByCode) request.bodiesWithCode ??= noBodiesYet();
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
    return sendToOne(createCall(outgoing, request, { lease, service }), request);
  }
}

type Service = DownstreamPath["service"];

function createCall(
  outgoing: OutgoingRequest,
  request: ForwardableRequest,
  { lease, service }: Pick<Call, "lease" | "service">,
): Call {
  const { context, observation } = request;
  const cancellation = outlast(request);
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

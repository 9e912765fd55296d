import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { Cancellation } from "../cancellation.ts";
import { GatewayError } from "../errors.ts";
import type {
  DelegatingHandler,
  GatewayContext,
  Headers,
  OutgoingRequest,
  UpstreamResponse,
} from "../delegating-handler.ts";
import type { Framing } from "../bodies/request-framing.ts";
import { createGivenBody } from "../bodies/given-body.ts";
import { guardServiceTarget, refuseFilledTarget, refuseUnsafeTarget } from "./refuse-unsafe-target.ts";
import { dropAliases } from "../headers/header-aliases.ts";
import { hopByHopHeaders } from "../headers/hop-by-hop.ts";
import { limitBody } from "../bodies/limit-body.ts";
import type { Origins } from "../capabilities/load-balancing/choose-host.ts";
import { createOutgoingHeaders } from "../headers/outgoing-headers.ts";
import { declareNoBody, readByAnother, takeBody } from "../bodies/request-body.ts";
import type { DownstreamPath, MatchedTarget } from "./resolve-path.ts";
import { runHandlers } from "./run-handlers.ts";
import { type Call, hostOf, redirect, type SendingWatch } from "./call.ts";
import { watchOutgoingBody } from "../bodies/watch-outgoing-body.ts";

/** How a route's requests go upstream. */
export type ForwardSettings<Request = ForwardableRequest> = Readonly<{
  resolvePath: (matched: MatchedTarget) => DownstreamPath;
  origins: Origins;
  send: (call: Call) => Promise<UpstreamResponse>;
  /** What policies make of the target, and of the request that is sent, before any handler sees it. */
  targetChanges: readonly ((target: MatchedTarget, request: Request) => MatchedTarget)[];
  requestChanges: readonly ((outgoing: OutgoingRequest, request: Request) => void)[];
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
  context: GatewayContext;
  matched: MatchedTarget;
  framing: Framing;
  mountPath: string;
  /** As they came from the client. */
  given: IncomingHttpHeaders;
  /** Those of them that were dropped when the route matched. */
  dropped: readonly string[] | undefined;
  cancellation: Cancellation;
  observation: SendingWatch | undefined;
}>;

/** Prepares how a route's requests are built, handed through the delegating handlers, and sent. */
export function createForward<Request extends ForwardableRequest>(
  settings: ForwardSettings<Request>,
): (request: Request) => Promise<UpstreamResponse> {
  const { resolvePath, origins, send, handlers } = settings;

  return function forward(request) {
    const { path, service } = resolvePath(changeTarget(request, settings));
    refuseFilledTarget(path);
    const lease = origins.choose();
    request.cancellation.onCancel(lease.release);
    const outgoing = createOutgoing(request, settings, lease.origin, path);
    if (handlers.length > 0) watchOutgoingBody(outgoing, request);
    const { cancellation, observation } = request;
    const call = { outgoing, req: request.context.req, cancellation, observation, addressed: lease.origin };
    if (handlers.length > 0)
      return runHandlers(handlers, { outgoing, request, send: () => sendChanged(call, { ...request, path, service }) });
    observation?.sending(outgoing);
    return send(call);
  };

  function sendChanged(
    call: Call,
    before: DownstreamPath & Pick<ForwardableRequest, "framing" | "given" | "dropped">,
  ): Promise<UpstreamResponse> {
    const { outgoing } = call;
    outgoing.headers = lowerCaseNames(outgoing.headers);
    dropAliases(outgoing.headers, { given: before.given, dropped: before.dropped, compared: settings.compared });
    if (outgoing.path !== before.path) {
      refuseUnsafeTarget(outgoing.path);
      if (before.service !== undefined) guardServiceTarget(outgoing.path, before.service);
    }
    redirect(call, outgoing.origin);
    frameChangedBody(call, before.framing);
    call.observation?.sending(outgoing);
    return send(call);
  }
}

function changeTarget<Request extends ForwardableRequest>(
  request: Request,
  { targetChanges }: ForwardSettings<Request>,
): MatchedTarget {
  return targetChanges.reduce((target, change) => change(target, request), request.matched);
}

function createOutgoing<Request extends ForwardableRequest>(
  request: Request,
  { method, bodyLimit, via, compared, requestChanges }: ForwardSettings<Request>,
  origin: string,
  path: string,
): OutgoingRequest {
  const { context, framing, mountPath, given, dropped } = request;
  const { req } = context;
  const headers = createOutgoingHeaders(req, { mountPath, via, given, dropped, compared });
  headers.host = hostOf(origin);
  const taken = takeBody(req, framing, headers);
  const body =
    bodyLimit !== undefined && framing.kind === "chunked" && taken === req ? limitBody(req, bodyLimit) : taken;
  const sentMethod = method ?? req.method ?? "GET";
  if (body === null) declareNoBody(sentMethod, headers);
  const outgoing = { method: sentMethod, origin, path, headers, body };
  for (const change of requestChanges) change(outgoing, request);
  return outgoing;
}

/** Whatever a handler has set, the body is framed as it is: by its length, in chunks, or not at all. */
function frameChangedBody({ outgoing, req }: Call, framing: Framing): void {
  const { method, headers, body } = outgoing;
  for (const name of hopByHopHeaders) delete headers[name];
  delete headers["content-length"];
  if (Buffer.isBuffer(body)) headers["content-length"] = String(body.length);
  else if (body === null) declareNoBody(method, headers);
  else if (!(body instanceof Readable)) throw notABody(body);
  else if (body !== req) frameGivenBody(outgoing, body);
  else if (body.errored !== null) throw body.errored;
  else if (body.readableEnded) frameEndedBody(outgoing, body);
  else if (framing.kind === "length") headers["content-length"] = String(framing.length);
}

function frameGivenBody(outgoing: OutgoingRequest, body: Readable): void {
  outgoing.body = createGivenBody(body);
  if (Buffer.isBuffer(outgoing.body)) outgoing.headers["content-length"] = String(outgoing.body.length);
}

/** The client's body, which a handler has read to its end; some engines would wait for another one. */
function frameEndedBody(outgoing: OutgoingRequest, { readableDidRead }: Readable): void {
  if (readableDidRead) throw readByAnother();
  outgoing.body = Buffer.alloc(0);
  outgoing.headers["content-length"] = "0";
}

function lowerCaseNames(headers: Headers): Headers {
  const lowerCase = Object.create(null) as Headers;
  for (const name in headers) lowerCase[name.toLowerCase()] = headers[name]!;
  return lowerCase;
}

function notABody(body: unknown): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `A delegating handler has set outgoing.body to ${body === undefined ? "undefined" : `a ${typeof body}`}; ` +
      "expected a Buffer, a Readable or null. Text is sent as Buffer.from(text).",
  );
}

import { Readable } from "node:stream";
import type { Cancellation } from "../cancellation.ts";
import { GatewayError } from "../errors.ts";
import type { DelegatingHandler, GatewayContext, Headers, OutgoingRequest, UpstreamResponse } from "../exchange.ts";
import type { Observation } from "../observer.ts";
import type { Framing } from "./framing.ts";
import { guardServiceTarget, guardTarget } from "./guard-target.ts";
import { hopByHopHeaders } from "./hop-by-hop.ts";
import { limitBody } from "./limit-body.ts";
import type { Origins } from "./origins.ts";
import { createOutgoingHeaders } from "./outgoing-headers.ts";
import { declareNoBody, takeBody } from "./request-body.ts";
import type { DownstreamPath, MatchedTarget } from "./resolve-path.ts";
import { type Call, hostOf, redirect } from "./send-request.ts";

/** How a route's requests go upstream. */
export type ForwardSettings = Readonly<{
  resolvePath: (matched: MatchedTarget) => DownstreamPath;
  origins: Origins;
  send: (call: Call) => Promise<UpstreamResponse>;
  handlers: readonly DelegatingHandler[];
  /** Replaces the client's method. */
  method: string | undefined;
  bodyLimit: number | undefined;
  via: boolean;
}>;

/** A matched request whose middleware is done. */
export type ForwardableRequest = Readonly<{
  context: GatewayContext;
  matched: MatchedTarget;
  framing: Framing;
  mountPath: string;
  cancellation: Cancellation;
  observation: Pick<Observation, "sending"> | undefined;
}>;

const ignore = (): void => undefined;

/** Prepares how a route's requests are built, handed through the delegating handlers, and sent. */
export function createForward(settings: ForwardSettings): (request: ForwardableRequest) => Promise<UpstreamResponse> {
  const { resolvePath, origins, send, handlers } = settings;

  return function forward(request) {
    const { path, service } = resolvePath(request.matched);
    guardTarget(path);
    const lease = origins.choose();
    request.cancellation.onCancel(lease.release);
    const outgoing = createOutgoing(request, settings, lease.origin, path);
    const { cancellation, observation } = request;
    const call = { outgoing, req: request.context.req, cancellation, observation };
    if (handlers.length > 0) return runHandler(0);
    observation?.sending(outgoing);
    return send(call);

    function runHandler(index: number): Promise<UpstreamResponse> {
      const handler = handlers[index];
      if (handler === undefined) {
        return sendChanged(call, { path, origin: lease.origin, service, framing: request.framing });
      }
      let calls = 0;
      return handler(outgoing, next, request.context);

      function next(): Promise<UpstreamResponse> {
        const answer = callNext();
        // A handler that does not wait for an answer must not turn its failure into an unhandled rejection.
        answer.catch(ignore);
        return answer;
      }

      async function callNext(): Promise<UpstreamResponse> {
        calls += 1;
        if (calls > 1 && outgoing.body instanceof Readable) throw calledTwice(handler!.name, request.context.route.id);
        return runHandler(index + 1);
      }
    }
  };

  function sendChanged(
    call: Call,
    before: DownstreamPath & Pick<ForwardableRequest, "framing"> & { origin: string },
  ): Promise<UpstreamResponse> {
    const { outgoing } = call;
    outgoing.headers = lowerCaseNames(outgoing.headers);
    if (outgoing.path !== before.path) {
      guardTarget(outgoing.path);
      if (before.service !== undefined) guardServiceTarget(outgoing.path, before.service);
    }
    const { origin } = outgoing;
    outgoing.origin = before.origin;
    redirect(outgoing, origin);
    frameChangedBody(call, before.framing);
    call.observation?.sending(outgoing);
    return send(call);
  }
}

function createOutgoing(
  { context, framing, mountPath }: ForwardableRequest,
  { method, bodyLimit, via }: ForwardSettings,
  origin: string,
  path: string,
): OutgoingRequest {
  const { req } = context;
  const headers = createOutgoingHeaders(req, mountPath, via);
  headers.host = hostOf(origin);
  const taken = takeBody(req, framing, headers);
  const body =
    bodyLimit !== undefined && framing.kind === "chunked" && taken === req ? limitBody(req, bodyLimit) : taken;
  const sentMethod = method ?? req.method ?? "GET";
  if (body === null) declareNoBody(sentMethod, headers);
  return { method: sentMethod, origin, path, headers, body };
}

/** Whatever a handler has set, the body is framed as it is: by its length, in chunks, or not at all. */
function frameChangedBody({ outgoing, req }: Call, framing: Framing): void {
  const { method, headers, body } = outgoing;
  for (const name of hopByHopHeaders) delete headers[name];
  delete headers["content-length"];
  if (Buffer.isBuffer(body)) headers["content-length"] = String(body.length);
  else if (body === null) declareNoBody(method, headers);
  else if (!(body instanceof Readable)) throw notABody(body);
  else if (body === req && framing.kind === "length") headers["content-length"] = String(framing.length);
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

function calledTwice(handler: string, route: string): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `The delegating handler ${JSON.stringify(handler)} of route ${JSON.stringify(route)} called next() a second time with a ` +
      "streamed body, which is gone after the first call. Read it into a Buffer (outgoing.body) before the first call.",
  );
}

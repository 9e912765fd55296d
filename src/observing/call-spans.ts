import { type Context, propagation, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";
import type { OutgoingRequest } from "../delegating-handler.ts";
import type { Route } from "../route.ts";
import { maskValues, redactSent, type RequestValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { defaultPortOf } from "../urls/schemes.ts";
import { methodLabel } from "./bounded-labels.ts";
import type { RequestRecord } from "./observer.ts";

/** The method of a span for one that is no method of HTTP. */
export const unknownMethod = "_OTHER";

/** A route that was asked for, and the values of the request, some of which may be secrets. */
type AskedRoute = Readonly<{ route: Route; values: RequestValues }>;

/** For whom calls are made: a route; or a part, and the whole whose secrets may stand in the part's URL as well. */
type Caller = Readonly<{ tracer: Tracer; parent: Context; asked: readonly [AskedRoute, ...AskedRoute[]] }>;

/** The spans of the calls that are made for one request, or for one part. */
export type CallSpans = Readonly<{
  sending: (outgoing: OutgoingRequest) => void;
  /** Ends the last of them, with what has become of it if that is known. */
  end: (outcome?: Pick<RequestRecord, "answeredAfter" | "error" | "status">) => void;
}>;

/** Makes a span for each call, as a handler may ask again, and another host may be asked; the trace goes on in its headers. */
export function createCallSpans({ tracer, parent, asked }: Caller): CallSpans {
  const [{ route }] = asked;
  let call: Span | undefined;
  return {
    sending(outgoing) {
      call?.end();
      call = startCall(tracer, outgoing, parent, variableSecretsOf(route.config));
      const url = outgoing.origin + outgoing.path;
      call.setAttribute(
        "url.full",
        asked.reduce((text, { route: { config }, values }) => redactSent(text, config, values), url),
      );
      propagation.inject(trace.setSpan(parent, call), outgoing.headers);
    },
    end(outcome) {
      if (call === undefined) return;
      if (outcome !== undefined) noteOutcome(call, outcome);
      call.end();
    },
  };
}

type Sent = Readonly<{ method: string; origin: string }>;

function startCall(tracer: Tracer, { method, origin }: Sent, parent: Context, secrets: readonly string[]): Span {
  const { hostname, port, protocol } = new URL(origin);
  const label = methodLabel(method, unknownMethod);
  const attributes = {
    "http.request.method": label,
    "server.address": maskValues(hostname, secrets),
    "server.port": port === "" ? defaultPortOf(protocol.slice(0, -1)) : Number(port),
  };
  return tracer.startSpan(label, { kind: SpanKind.CLIENT, attributes }, parent);
}

/** What went wrong before the upstream answered is the call's; what came later is not known to be. */
function noteOutcome(
  call: Span,
  { answeredAfter, error, status }: Pick<RequestRecord, "answeredAfter" | "error" | "status">,
): void {
  if (answeredAfter === undefined && error !== undefined) setFailed(call, error);
  else if (status >= 400) setFailed(call, String(status));
  if (answeredAfter !== undefined) call.setAttribute("http.response.status_code", status);
}

/** Marks a span as failed, and says with what. */
export function setFailed(span: Span, type: string): void {
  span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
}

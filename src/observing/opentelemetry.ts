import { shownRouteId } from "../secrets/shown-route.ts";
import type { IncomingMessage } from "node:http";
import {
  type Attributes,
  context as contexts,
  type Context,
  type MeterProvider,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  type TracerProvider,
} from "@opentelemetry/api";
import { isUnlisted } from "../discovery/unlisted-marks.ts";
import type { Route } from "../route.ts";
import { maskValues, redactSent } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { pathOf, queryOf } from "../urls/path-and-query.ts";
import { defaultPortOf } from "../urls/schemes.ts";
import { methodLabel } from "./bounded-labels.ts";
import { createGatewayMetrics } from "./gateway-metrics.ts";
import type { RequestObserver, RequestRecord } from "./observer.ts";

/** What {@link openTelemetry} takes; what is registered globally by default. */
export type OpenTelemetryOptions = Readonly<{ tracerProvider?: TracerProvider; meterProvider?: MeterProvider }>;

const scope = "waymark";
const unknownMethod = "_OTHER";

/**
 * Makes a server span for each request and a client span for the call to the upstream, hands the trace on in the
 * headers, and measures `http.server.request.duration`.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): RequestObserver {
  const tracer = (options.tracerProvider ?? trace).getTracer(scope);
  const meter = (options.meterProvider ?? metrics).getMeter(scope);
  const duration = meter.createHistogram("http.server.request.duration", {
    unit: "s",
    description: "Duration of HTTP server requests.",
  });
  const { count, ...watches } = createGatewayMetrics(meter);

  return {
    ...watches,
    begin({ req, route, placeholders }) {
      const captured = { ...placeholders };
      // The query of a template may hold a literal secret.
      const template = maskValues(pathOf(route.upstreamPathTemplate), variableSecretsOf(route.config));
      const method = methodLabel(req.method ?? "", unknownMethod);
      const parent = propagation.extract(contexts.active(), req.headers);
      const attributes = {
        "http.request.method": method,
        "url.scheme": schemeOf(req),
        "http.route": template,
      };
      const span = tracer.startSpan(
        `${method} ${template}`,
        {
          kind: SpanKind.SERVER,
          attributes: { ...attributes, ...describeHost(req), "waymark.route": shownRouteId(route) },
        },
        parent,
      );
      const own = trace.setSpan(parent, span);
      let call: Span | undefined;
      return {
        sending(outgoing) {
          // A handler may ask again, and another host may be asked: each call has a span.
          call?.end();
          call = startCall(tracer, outgoing, own, variableSecretsOf(route.config));
          const url = outgoing.origin + outgoing.path;
          call.setAttribute("url.full", redactSent(url, route.config, { captured, current: placeholders }));
          propagation.inject(trace.setSpan(own, call), outgoing.headers);
        },
        left: () => span.end(),
        ended(record) {
          endCall(call, record);
          endSpan(span, record);
          duration.record(record.duration / 1_000, { ...attributes, ...labelOf(route), ...outcomeOf(record) }, own);
          count(record);
        },
      };
    },
  };
}

/** A time series for each service that a client may name would be too many. */
function labelOf({ config }: Pick<Route, "config">): Attributes {
  return isUnlisted(config) ? { "http.route": "*" } : {};
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
function endCall(call: Span | undefined, record: RequestRecord): void {
  if (call === undefined) return;
  if (record.answeredAfter === undefined && record.error !== undefined) setFailed(call, record.error);
  else if (record.status >= 400) setFailed(call, String(record.status));
  if (record.answeredAfter !== undefined) call.setAttribute("http.response.status_code", record.status);
  call.end();
}

function endSpan(span: Span, record: RequestRecord): void {
  span.setAttributes({ ...describeTarget(record.path), ...outcomeOf(record) });
  if (record.requestId !== undefined) span.setAttribute("waymark.request_id", record.requestId);
  if (record.retries !== undefined) span.setAttribute("waymark.retries", record.retries);
  if (record.error !== undefined || record.status >= 500) setFailed(span, record.error ?? String(record.status));
  span.end();
}

function describeTarget(target: string): Attributes {
  const query = queryOf(target);
  return { "url.path": pathOf(target), ...(query === undefined ? {} : { "url.query": query }) };
}

function outcomeOf({ status, error }: RequestRecord): Attributes {
  return { "http.response.status_code": status, ...(error === undefined ? {} : { "error.type": error }) };
}

function setFailed(span: Span, type: string): void {
  span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
}

const hostAndPort = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/;

/** The host and the port that the client asked for. */
function describeHost({ headers: { host = "" } }: IncomingMessage): Attributes {
  const [, name, port] = hostAndPort.exec(host) ?? [];
  if (name === undefined) return {};
  return { "server.address": name, ...(port === undefined ? {} : { "server.port": Number(port) }) };
}

function schemeOf({ socket }: IncomingMessage): string {
  return "encrypted" in socket ? "https" : "http";
}

import { shownRouteId } from "../secrets/shown-route.ts";
import type { IncomingMessage } from "node:http";
import {
  type Attributes,
  context as contexts,
  type MeterProvider,
  metrics,
  propagation,
  type Span,
  SpanKind,
  trace,
  type TracerProvider,
} from "@opentelemetry/api";
import { isUnlisted } from "../discovery/unlisted-marks.ts";
import type { Route } from "../route.ts";
import { maskValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { pathOf, queryOf } from "../urls/path-and-query.ts";
import { methodLabel } from "./bounded-labels.ts";
import { createCallSpans, setFailed, unknownMethod } from "./call-spans.ts";
import { createGatewayMetrics } from "./gateway-metrics.ts";
import type { RequestObserver, RequestRecord } from "./observer.ts";
import { endAtHead } from "./part-spans.ts";

/** What {@link openTelemetry} takes; what is registered globally by default. */
export type OpenTelemetryOptions = Readonly<{ tracerProvider?: TracerProvider; meterProvider?: MeterProvider }>;

const scope = "waymark";

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
      const asked = { route, values: { captured, current: placeholders } };
      const calls = createCallSpans({ tracer, parent: own, asked: [asked] });
      return {
        sending: calls.sending,
        left: () => span.end(),
        part(part) {
          const values = { captured: { ...part.placeholders }, current: part.placeholders };
          const spans = createCallSpans({ tracer, parent: own, asked: [{ route: part.route, values }, asked] });
          return endAtHead(spans, count);
        },
        ended(record) {
          calls.end(record);
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

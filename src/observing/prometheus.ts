import { isUnlisted } from "../discovery/unlisted-marks.ts";
import { shownRouteId } from "../secrets/shown-route.ts";
import { Counter, Gauge, Histogram, register as defaultRegister, type Registry } from "prom-client";
import type { ObservedRequest, RequestObserver, RequestRecord } from "./observer.ts";
import { createLosses, type GatewayChange } from "./changes.ts";
import { createRouteLabels, methodLabel } from "./bounded-labels.ts";

/** What {@link prometheusMetrics} takes. */
export type PrometheusOptions = Readonly<{
  /** Where the metrics are registered; prom-client's own registry by default. */
  register?: Registry;
  /** Upper bounds of the histograms in seconds. */
  buckets?: readonly number[];
  /** How many routes have a label of their own, 1,000 by default; the others are `other`. */
  routes?: number;
}>;

const usualBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90];
const usualRoutes = 1_000;

/** Counts and times requests with prom-client. */
export function prometheusMetrics(options: PrometheusOptions = {}): RequestObserver {
  const { buckets = usualBuckets, routes = usualRoutes } = options;
  const registers = [options.register ?? defaultRegister];
  const routeLabel = createRouteLabels(routes);
  const histogram = { labelNames: ["route"] as const, buckets: [...buckets], registers };

  const running = new Gauge({ name: "waymark_requests_running", help: "Requests under way.", registers });
  const requests = new Counter({
    name: "waymark_requests_total",
    help: "Requests that a route matched, by route, method and status.",
    labelNames: ["route", "method", "status"] as const,
    registers,
  });
  const errors = new Counter({
    name: "waymark_errors_total",
    help: "Requests that failed in the gateway or toward the upstream, by route and error code.",
    labelNames: ["route", "code"] as const,
    registers,
  });
  const retries = createRetryCounter(registers);
  const duration = new Histogram({
    ...histogram,
    name: "waymark_request_duration_seconds",
    help: "From the match to the end of the answer.",
  });
  const waiting = new Histogram({
    ...histogram,
    name: "waymark_upstream_duration_seconds",
    help: "From the match to the head of the upstream's answer.",
  });
  const observed: ObservedRequest = { ended, left: () => running.dec() };

  return {
    begin() {
      running.inc();
      return observed;
    },
    changed: createCountChanges(registers),
  };

  function ended(record: RequestRecord): void {
    running.dec();
    const route = isUnlisted(record.route.config) ? "*" : routeLabel(shownRouteId(record.route));
    requests.inc({ route, method: methodLabel(record.method, "OTHER"), status: String(record.status) });
    duration.observe({ route }, record.duration / 1_000);
    if (record.answeredAfter !== undefined) waiting.observe({ route }, record.answeredAfter / 1_000);
    if (record.retries !== undefined) retries.inc({ route }, record.retries);
    if (record.error !== undefined) errors.inc({ route, code: record.error });
  }
}

function createRetryCounter(registers: Registry[]): Counter<"route"> {
  return new Counter({
    name: "waymark_retries_total",
    help: "How often requests were sent once more, by route.",
    labelNames: ["route"] as const,
    registers,
  });
}

function createCountChanges(registers: Registry[]): (change: GatewayChange) => void {
  const losses = createLosses();
  const changes = new Counter({
    name: "waymark_changes_total",
    help: "What has changed that is no request, such as a store that is away, by kind and new state.",
    labelNames: ["kind", "state"] as const,
    registers,
  });
  const degraded = new Gauge({
    name: "waymark_degraded",
    help: "How many things of a kind the gateway does without at the moment.",
    labelNames: ["kind"] as const,
    registers,
  });

  return function countChange(change) {
    const { kind, state } = change;
    losses.note(change);
    changes.inc({ kind, state });
    degraded.set({ kind }, losses.count(kind));
  };
}

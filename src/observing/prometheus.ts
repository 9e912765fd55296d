import { Counter, Gauge, Histogram, register as defaultRegister, type Registry } from "prom-client";
import type { Route } from "../route.ts";
import { isUnlisted } from "../discovery/unlisted-marks.ts";
import { shownRouteId } from "../secrets/shown-route.ts";
import { type AttachedGateways, createAttachedGateways, usualHosts } from "./attached-gateways.ts";
import { createRouteLabels, methodLabel } from "./bounded-labels.ts";
import { createLosses, type GatewayChange } from "./gateway-changes.ts";
import type { ObservedRequest, PartRecord, RequestObserver, RequestRecord } from "./observer.ts";

/** What {@link prometheusMetrics} takes. */
export type PrometheusOptions = Readonly<{
  /** Where the metrics are registered; prom-client's own registry by default. */
  register?: Registry;
  /** Upper bounds of the histograms in seconds. */
  buckets?: readonly number[];
  /** How many routes have a label of their own, 1,000 by default; the others are `other`. */
  routes?: number;
  /** How many hosts of routes have labels of their own, 5,000 by default; of one route at most a tenth of that. */
  hosts?: number;
}>;

const usualBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90];
const usualRoutes = 1_000;

/** Counts and times requests with prom-client, and tells the state of the hosts behind them. */
export function prometheusMetrics(options: PrometheusOptions = {}): RequestObserver {
  const { buckets = usualBuckets, routes = usualRoutes, hosts = usualHosts } = options;
  const registers = [options.register ?? defaultRegister];
  const labelOf = createLabelOf(routes);
  const gateways = createAttachedGateways({ routes, hosts });
  const running = new Gauge({ name: "waymark_requests_running", help: "Requests under way.", registers });
  const count = createCountRequest(registers, [...buckets]);
  const observedPart = { ended: (record: PartRecord) => count.part(record, labelOf(record.route)) };
  const observed: ObservedRequest = { ended, left: () => running.dec(), part: () => observedPart };
  registerHosts(registers, gateways);

  return {
    begin() {
      running.inc();
      return observed;
    },
    changed: createCountChanges(registers, labelOf),
    attached: gateways.attached,
  };

  function ended(record: RequestRecord): void {
    running.dec();
    count.request(record, labelOf(record.route));
  }
}

type LabelOf = (route: Route) => string;

/** Services that no configuration names have one label: clients name them. */
function createLabelOf(routes: number): LabelOf {
  const routeLabel = createRouteLabels(routes);
  return (route) => (isUnlisted(route.config) ? "*" : routeLabel(shownRouteId(route)));
}

type Count<Counted> = (record: Counted, route: string) => void;

type Outcome = Pick<RequestRecord, "error" | "retries" | "cache">;

/** A client has asked once, however many parts were asked for it: of these only what became of them is counted. */
function createCountRequest(
  registers: Registry[],
  buckets: number[],
): Readonly<{ request: Count<RequestRecord>; part: Count<PartRecord> }> {
  const countOutcome = createCountOutcome(registers);
  const requests = new Counter({
    name: "waymark_requests_total",
    help: "Requests that a route matched, by route, method and status.",
    labelNames: ["route", "method", "status"] as const,
    registers,
  });
  const histogram = { labelNames: ["route"] as const, buckets, registers };
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

  return {
    request(record, route) {
      requests.inc({ route, method: methodLabel(record.method, "OTHER"), status: String(record.status) });
      duration.observe({ route }, record.duration / 1_000);
      if (record.answeredAfter !== undefined) waiting.observe({ route }, record.answeredAfter / 1_000);
      countOutcome(record, route);
    },
    part(record, route) {
      if (record.target !== undefined && record.error === undefined)
        waiting.observe({ route }, record.duration / 1_000);
      countOutcome(record, route);
    },
  };
}

/** What became of requests besides their status. */
function createCountOutcome(registers: Registry[]): Count<Outcome> {
  const errors = new Counter({
    name: "waymark_errors_total",
    help: "Requests that failed in the gateway or toward the upstream, by route and error code.",
    labelNames: ["route", "code"] as const,
    registers,
  });
  const retries = new Counter({
    name: "waymark_retries_total",
    help: "How often requests were sent once more, by route.",
    labelNames: ["route"] as const,
    registers,
  });
  const limited = new Counter({
    name: "waymark_rate_limit_refusals_total",
    help: "Requests that were refused as their client has sent too many, by route.",
    labelNames: ["route"] as const,
    registers,
  });
  const cached = new Counter({
    name: "waymark_cache_results_total",
    help: "What the cache did for requests, by route: hit, miss or bypass.",
    labelNames: ["route", "result"] as const,
    registers,
  });

  return function countOutcome({ error, retries: again, cache }, route) {
    if (error !== undefined) errors.inc({ route, code: error });
    if (again !== undefined) retries.inc({ route }, again);
    if (error === "rate-limited") limited.inc({ route });
    if (cache !== undefined) cached.inc({ route, result: cache });
  };
}

function createCountChanges(registers: Registry[], labelOf: LabelOf): (change: GatewayChange) => void {
  const losses = createLosses();
  const changes = new Counter({
    name: "waymark_changes_total",
    help: "What has changed that is no request, such as a store that is away, by kind and new state.",
    labelNames: ["kind", "state"] as const,
    registers,
  });
  const transitions = new Counter({
    name: "waymark_breaker_transitions_total",
    help: "How often circuit breakers have changed, by route and new state.",
    labelNames: ["route", "state"] as const,
    registers,
  });
  const degraded = new Gauge({
    name: "waymark_degraded",
    help: "How many things of a kind the gateway does without at the moment.",
    labelNames: ["kind"] as const,
    registers,
  });

  return function countChange(change) {
    const { kind, state, route } = change;
    losses.note(change);
    changes.inc({ kind, state });
    degraded.set({ kind }, losses.count(kind));
    if (kind === "breaker") transitions.inc({ route: route === undefined ? "*" : labelOf(route), state });
  };
}

/** Hosts are looked at as the metrics are asked for: each is in one state, and one that is gone leaves no series behind. */
function registerHosts(registers: Registry[], { hosts }: AttachedGateways): void {
  const states = new Gauge({
    name: "waymark_host_state",
    help: "1 for the state in which a host of a route is: up, down (health checks), open or half-open (circuit breaker).",
    labelNames: ["route", "host", "state"] as const,
    registers,
    collect() {
      states.reset();
      for (const { labels, state } of hosts()) states.set({ ...labels, state }, 1);
    },
  });
  const running = new Gauge({
    name: "waymark_host_requests_running",
    help: "Requests under way, by route and host.",
    labelNames: ["route", "host"] as const,
    registers,
    collect() {
      running.reset();
      for (const { labels, inFlight } of hosts()) running.set(labels, inFlight);
    },
  });
}

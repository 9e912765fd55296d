import type { Meter } from "@opentelemetry/api";
import type { Route } from "../route.ts";
import { isUnlisted } from "../discovery/unlisted-marks.ts";
import { shownRouteId } from "../secrets/shown-route.ts";
import { createAttachedGateways, usualHosts } from "./attached-gateways.ts";
import { createRouteLabels } from "./bounded-labels.ts";
import type { RequestObserver, RequestRecord } from "./observer.ts";

/** What OpenTelemetry measures of a gateway besides the duration of requests. */
export type GatewayMetrics = Required<Pick<RequestObserver, "attached" | "changed">> &
  Readonly<{ count: (record: Pick<RequestRecord, "route" | "cache" | "error" | "retries">) => void }>;

const mostRoutes = 1_000;

/** Makes the instruments; all attributes are bounded by the configuration, and none is a client's. */
export function createGatewayMetrics(meter: Meter): GatewayMetrics {
  const routeLabel = createRouteLabels(mostRoutes);
  const changes = meter.createCounter("waymark.changes", {
    description: "What has changed that is no request, such as a store that is away.",
  });
  const transitions = meter.createCounter("waymark.breaker.transitions", {
    description: "How often circuit breakers have changed.",
  });
  const gateways = createAttachedGateways({ routes: mostRoutes, hosts: usualHosts });
  measureHosts(meter, gateways);

  return {
    count: createCount(meter, labelOf),
    attached: gateways.attached,
    changed({ kind, state, route }) {
      changes.add(1, { "waymark.kind": kind, "waymark.state": state });
      if (kind === "breaker") transitions.add(1, { "waymark.route": labelOf(route), "waymark.state": state });
    },
  };

  /** Services that no configuration names have one label: clients name them. */
  function labelOf(route: Route | undefined): string {
    return route === undefined || isUnlisted(route.config) ? "*" : routeLabel(shownRouteId(route));
  }
}

function createCount(meter: Meter, labelOf: (route: Route) => string): GatewayMetrics["count"] {
  const cached = meter.createCounter("waymark.cache.results", {
    description: "What the cache did for requests: hit, miss or bypass.",
  });
  const limited = meter.createCounter("waymark.rate_limit.refusals", {
    description: "Requests that were refused as their client has sent too many.",
  });
  const again = meter.createCounter("waymark.retries", { description: "How often requests were sent once more." });

  return function count({ route, cache, error, retries }) {
    const isLimited = error === "rate-limited";
    if (cache === undefined && retries === undefined && !isLimited) return;
    const attributes = { "waymark.route": labelOf(route) };
    if (cache !== undefined) cached.add(1, { ...attributes, "waymark.cache.result": cache });
    if (isLimited) limited.add(1, attributes);
    if (retries !== undefined) again.add(retries, attributes);
  };
}

function measureHosts(meter: Meter, { hosts }: Pick<ReturnType<typeof createAttachedGateways>, "hosts">): void {
  const states = meter.createObservableGauge("waymark.host.state", {
    description: "1 for the state in which a host of a route is: up, down, open or half-open.",
  });
  const running = meter.createObservableUpDownCounter("waymark.host.requests.running", {
    description: "Requests under way.",
  });
  states.addCallback((result) => {
    for (const { labels, state } of hosts()) {
      result.observe(1, { "waymark.route": labels.route, "waymark.host": labels.host, "waymark.state": state });
    }
  });
  running.addCallback((result) => {
    for (const { labels, inFlight } of hosts()) {
      result.observe(inFlight, { "waymark.route": labels.route, "waymark.host": labels.host });
    }
  });
}

import "./refuse-old-node.ts";

export { prometheusMetrics, type PrometheusOptions } from "./observing/prometheus.ts";

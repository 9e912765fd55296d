export { prometheusMetrics, type PrometheusOptions } from "./observing/prometheus.ts";

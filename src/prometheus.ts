export { prometheusMetrics, type PrometheusOptions } from "./observe/prometheus.ts";

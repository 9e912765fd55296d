export { openTelemetry, type OpenTelemetryOptions } from "./observing/opentelemetry.ts";
